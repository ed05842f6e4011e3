/** The settings that are no secret: one file for all of them. */
import path from "node:path";

import * as z from "zod/mini";

import { parseJsonFile } from "../files/json-file.js";
import { t } from "../../languages/language.js";
import { once } from "../../api/once.js";
import { environmentSchema, optionalText, text } from "../sessions/session.js";
import type { StateFolder } from "../state-folder.js";
import { writeSettings } from "./write-settings.js";

const ofStore = once(() => ({
  /** BCP 47, for example `pt-BR`. */
  locale: optionalText,
  /** ISO 4217, for example `BRL`. */
  currency: optionalText,
  /** IANA name, for example `America/Sao_Paulo`. */
  time_zone: optionalText,
  /** The days start at this time (HH:MM), and at midnight where it is absent. */
  day_starts: optionalText,
  /** The names that it had: another machine of a chain may still have one of them as its default store. */
  former_aliases: z.optional(z.array(text)),
}));

/** Loose: a change keeps fields that a later version of comanda or a person added. */
export const settingsSchema = once(() =>
  z.looseObject({
    version: z.optional(z.literal(1)),
    /** The alias that commands use where `--store` is absent. */
    default_store: optionalText,
    /** Settings by alias. */
    stores: z.optional(z.record(text, z.looseObject(ofStore()))),
    /** A store that is being renamed or, without a new name, forgotten; until all that is kept of it has followed. */
    unfinished: z.optional(z.object({ store: text, renamed_to: optionalText })),
    environments: z._default(z.record(text, z.omit(environmentSchema, { name: true })), {}),
  }),
);
export type Settings = z.infer<ReturnType<typeof settingsSchema>>;

export interface SettingsFile {
  /** The path of the file, for error messages. */
  readonly path: string;
  /**
   * Empty settings if there is no file yet.
   *
   * @throws {ComandaError} `state_unusable`
   */
  read(): Promise<Settings>;
  /**
   * Reads, changes and writes under a lock.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`, and what `change` throws; the file is then as it was
   */
  update(change: (current: Settings) => Settings): Promise<Settings>;
}

export function settingsFile({ path: folder }: Pick<StateFolder, "path">): string {
  return path.join(folder, "settings.json");
}

/** Written with `conf`, read as plain JSON, so that `conf` is loaded only for a change. */
export function openSettings(state: StateFolder): SettingsFile {
  const file = settingsFile(state);

  function read(): Settings {
    const text = state.files.read(file, "read");
    if (text === undefined) return { environments: {} };
    return parseJsonFile(file, text, {
      schema: settingsSchema(),
      version: 1,
      hint: t`Repair it in an editor, or delete it and set anew what \`comanda env list\` then lacks.`,
    });
  }

  return {
    path: file,
    // Reading throws at once; a caller expects a rejection.
    read: async () => Promise.resolve(read()),
    update: (change) =>
      state.withLease("settings", async () => {
        const before = read();
        const next = { ...change(before), version: 1 as const };
        if (JSON.stringify(next) !== JSON.stringify({ ...before, version: 1 }))
          await writeSettings(state.files, file, next);
        return next;
      }),
  };
}
