/**
 * The settings of a chain: what holds for stores and environments lies in PostgreSQL, for all machines; what is a
 * person's own stays in the file of the machine.
 */
import * as z from "zod/mini";

import { parseJson } from "../../shared/json.js";
import type { Database, Statements } from "../database.js";
import { settingsSchema, type Settings, type SettingsFile } from "../settings/settings.js";

/** The settings that belong to this machine and the person at it. */
const ownNames = ["version", "default_store", "language", "state"] as const;

export function openSharedSettings(local: SettingsFile, database: () => Promise<Database>): SettingsFile {
  return {
    path: local.path,

    async read() {
      return together(await local.read(), await readShared(await database()));
    },

    async update(change) {
      const before = await local.read();
      const next = await (
        await database()
      ).transaction("settings", async (statements) => {
        const shared = await readShared(statements);
        const changed = change(together(before, shared));
        const content = JSON.stringify(sharedPart(changed));
        if (content !== JSON.stringify(sharedPart(shared))) await writeShared(statements, content);
        return changed;
      });
      const ownPart = ownPartOf(next);
      if (JSON.stringify(ownPart) !== JSON.stringify(ownPartOf(before)))
        await local.update((current) => ({ ...sharedPart(current), ...ownPart }));
      return next;
    },
  };
}

async function readShared({ rows }: Statements): Promise<Settings> {
  const [row] = await rows({ content: "text" }, "select content from chain_settings where id = 1");
  return row ? z.parse(settingsSchema(), parseJson(row.content)) : { environments: {} };
}

async function writeShared({ run }: Statements, content: string): Promise<void> {
  await run(
    `insert into chain_settings (id, content) values (1, $1)
     on conflict (id) do update set content = excluded.content`,
    content,
  );
}

function together(local: Settings, shared: Settings): Settings {
  return { ...shared, ...ownPartOf(local) };
}

function isOwn([name]: readonly [string, unknown]): boolean {
  return ownNames.some((each) => each === name);
}

function ownPartOf(settings: Settings): Partial<Settings> {
  return Object.fromEntries(Object.entries(settings).filter(isOwn));
}

function sharedPart({ environments, ...settings }: Settings): Settings {
  const shared = Object.entries(settings).filter((entry) => !isOwn(entry));
  return { ...Object.fromEntries(shared), environments };
}
