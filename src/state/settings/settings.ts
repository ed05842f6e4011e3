/** The settings that are no secret: one file for all of them. */
import { readFileSync, renameSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import { ComandaError } from "../../shared/errors.js";
import { discard } from "../../shared/whole-file.js";
import { fileError } from "../files/file-errors.js";
import { parseJsonFile } from "../files/json-file.js";
import type { Lease } from "../locks/locks.js";
import { makeFolder, syncFile } from "../files/private-file.js";
import { environmentSchema } from "../sessions/session.js";
import type { StateFolder } from "../state-folder.js";
import { temporaryPath } from "../files/temporary-files.js";

/** How a store's days are counted and its figures shown. */
const presentation = {
  /** BCP 47, for example `pt-BR`. */
  locale: z.optional(z.string()),
  /** ISO 4217, for example `BRL`. */
  currency: z.optional(z.string()),
  /** IANA name, for example `America/Sao_Paulo`. */
  time_zone: z.optional(z.string()),
};

/** Loose: what a later version of comanda adds, or a person, outlives a change by this one. */
export const settingsSchema = z.looseObject({
  version: z.optional(z.literal(1)),
  /** The alias that commands use where `--store` is absent. */
  default_store: z.optional(z.string()),
  ...presentation,
  /** By alias; goes before what is set for all. */
  stores: z.optional(z.record(z.string(), z.looseObject(presentation))),
  environments: z._default(z.record(z.string(), z.omit(environmentSchema, { name: true })), {}),
});
export type Settings = z.infer<typeof settingsSchema>;

export interface SettingsFile {
  /** Its path, for `config path` and error messages. */
  readonly path: string;
  /**
   * No settings yet are empty settings.
   *
   * @throws {ComandaError} `state_unusable`
   */
  read(): Settings;
  /**
   * Reads, changes and writes under a lock.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`, and what `change` throws; the file is then as it was
   */
  update(change: (current: Settings) => Settings): Promise<Settings>;
}

export function openSettings(state: StateFolder): SettingsFile {
  const file = path.join(state.path, "settings.json");

  function read(): Settings {
    const text = state.files.read(file, "read");
    if (text === undefined) return { environments: {} };
    return parseJsonFile(file, text, {
      schema: settingsSchema,
      version: 1,
      hint: `Repair it in an editor, or delete it and set anew what \`comanda env list\` then lacks.`,
    });
  }

  return {
    path: file,
    read,
    update: (change) =>
      state.locks.run("settings", async (lease) => {
        const before = read();
        const next = { ...change(before), version: 1 as const };
        if (JSON.stringify(next) !== JSON.stringify({ ...before, version: 1 }))
          await write(state, file, next, lease);
        return next;
      }),
  };
}

/**
 * `conf` writes to a name of this write's own, and the result takes the settings' place only when every byte of it is
 * there: on a full disk `conf` reports success over a file that is cut short.
 */
async function write(state: StateFolder, file: string, settings: Settings, lease: Lease): Promise<void> {
  // Only needed here, and it loads a JSON schema validator.
  const { default: Conf } = await import("conf");
  const folder = path.dirname(file);
  makeFolder(folder);
  state.files.sweep(folder);
  const temporary = temporaryPath(file, state.table);
  const text = `${JSON.stringify(settings, undefined, 2)}\n`;
  try {
    const conf = new Conf({
      projectName: "comanda",
      cwd: folder,
      configName: path.basename(temporary, ".tmp"),
      fileExtension: "tmp",
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      clearInvalidConfig: false,
      serialize: () => text,
    });
    conf.store = { ...settings };
    if (readFileSync(temporary, "utf8") !== text) {
      throw new ComandaError("state_unusable", `${file} could not be written whole; it is as it was.`, {
        hint: "Check whether the disk is full, then run the command again.",
      });
    }
    syncFile(temporary);
    lease.assertHeld();
    renameSync(temporary, file);
    syncFile(folder);
  } catch (error) {
    discard(temporary);
    throw fileError(error, "write", file);
  }
}
