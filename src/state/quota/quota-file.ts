/** The windows on disk: one file for each store and bucket. It holds no secret, so others may read it. */
import path from "node:path";

import * as z from "zod/mini";

import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { once } from "../../shared/once.js";
import { isNewerVersion, parseJsonFile } from "../files/json-file.js";
import type { Lease } from "../locks/locks.js";
import { processIdentitySchema } from "../locks/process-identity.js";
import type { StateFolder } from "../state-folder.js";
import { emptyWindow, type QuotaWindow } from "./quota-window.js";

const version = 2;

const fileSchema = once(() => {
  const count = z.int().check(z.minimum(1));
  const moment = { at: z.number(), up: z.nullable(z.number()), boot: z.nullable(z.string()) };
  const waiter = z.object({
    id: z.string(),
    process: processIdentitySchema(),
    count,
    since: z.object(moment),
    asked: z.object(moment),
    again_ms: z.number(),
    background: z.boolean(),
  });
  const current = z.object({
    version: z.literal(version),
    entries: z.array(z.object({ id: z.string(), ...moment, count })),
    block: z.optional(z.object({ ...moment, ms: z.number() })),
    waiting: z.optional(z.array(waiter)),
  });
  /** It knew the wall clock alone. */
  const first = z.object({
    version: z.literal(1),
    entries: z.array(z.object({ id: z.string(), at: z.number(), count })),
    block: z.optional(z.object({ from: z.number(), until: z.number() })),
  });
  return z.union([current, first]);
});

function windowIn(file: z.infer<ReturnType<typeof fileSchema>>): QuotaWindow {
  if (file.version === version)
    return { entries: file.entries, block: file.block, waiting: file.waiting ?? [] };
  const wallClock = { up: null, boot: null };
  const { entries, block } = file;
  return {
    entries: entries.map((entry) => ({ ...entry, ...wallClock })),
    block: block && { at: block.from, ms: block.until - block.from, ...wallClock },
    waiting: [],
  };
}

export interface QuotaFiles {
  /** Empty for a file that isn't there or can't be used; `undefined` for a newer comanda's, which isn't ours to change. */
  read(name: string): QuotaWindow | undefined;
  /**
   * Only for the holder of the lock.
   *
   * @throws {ComandaError} `state_unusable`; the file is as it was
   */
  write(name: string, window: QuotaWindow, lease: Lease): void;
}

/** @param warn told why a file isn't used */
export function openQuotaFiles(
  { path: folder, files }: Pick<StateFolder, "path" | "files">,
  warn: (message: string) => void,
): QuotaFiles {
  const fileOf = (name: string) => path.join(folder, "quota", `${name}.json`);
  return {
    read(name) {
      const file = fileOf(name);
      try {
        const text = files.read(file, "read");
        if (text === undefined) return emptyWindow;
        if (isNewerVersion(text, version)) {
          warn(t`${file} was written by a newer comanda. Rate limits are counted for this run alone.`);
          return undefined;
        }
        return windowIn(parseJsonFile(file, text, { schema: fileSchema(), version, hint: "" }));
      } catch (error) {
        if (!(error instanceof ComandaError)) throw error;
        warn(t`${error.message} The count of requests starts anew.`);
        return emptyWindow;
      }
    },
    write(name, window, { assertHeld }) {
      const text = JSON.stringify({ version, ...window });
      files.write(fileOf(name), text, { durable: false, before: assertHeld });
    },
  };
}
