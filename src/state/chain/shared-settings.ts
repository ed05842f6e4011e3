/**
 * The settings of a chain: what holds for stores and environments lies in PostgreSQL, for all machines; what is a
 * person's own stays in the file of the machine.
 */
import * as z from "zod/mini";

import { parseJson } from "../../api/json.js";
import { t } from "../../languages/language.js";
import type { Database, Statements } from "../database.js";
import { openSealed, type StateKeys } from "./state-keys.js";
import { settingsSchema, type Settings, type SettingsFile } from "../settings/settings.js";

/** The settings that belong to this machine and the person at it. */
const ownNames = ["version", "default_store"] as const;

/** What is sealed as the settings is nothing else. */
const owner = "settings";

export function openSharedSettings(
  local: SettingsFile,
  database: () => Promise<Database>,
  keys: () => StateKeys | undefined,
): SettingsFile {
  return {
    path: local.path,

    async read() {
      return together(await local.read(), await readShared(await database(), keys()));
    },

    async update(change) {
      const before = await local.read();
      const next = await (
        await database()
      ).transaction("settings", async (statements) => {
        const shared = await readShared(statements, keys());
        const changed = change(together(before, shared));
        const content = JSON.stringify(sharedPart(changed));
        if (content !== JSON.stringify(sharedPart(shared))) await writeShared(statements, content, keys());
        return changed;
      });
      const ownPart = ownPartOf(next);
      if (JSON.stringify(ownPart) !== JSON.stringify(ownPartOf(before)))
        await local.update((current) => ({ ...sharedPart(current), ...ownPart }));
      return next;
    },
  };
}

async function readShared({ rows }: Statements, keys: StateKeys | undefined): Promise<Settings> {
  const [row] = await rows(
    { key_id: "text?", content: "text" },
    "select key_id, content from chain_settings where id = 1",
  );
  if (!row) return { environments: {} };
  const text = openSealed(keys, { keyId: row.key_id, text: row.content }, owner, t`What the settings say`);
  return z.parse(settingsSchema(), parseJson(text));
}

async function writeShared({ run }: Statements, content: string, keys: StateKeys | undefined): Promise<void> {
  const sealed = keys?.seal(content, owner);
  await run(
    `insert into chain_settings (id, key_id, content) values (1, $1, $2)
     on conflict (id) do update set key_id = excluded.key_id, content = excluded.content`,
    ...[sealed?.keyId ?? null, sealed?.text ?? content],
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
