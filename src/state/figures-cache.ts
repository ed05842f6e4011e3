/**
 * Answers of the summary endpoints that will not change any more, so that a second report costs no calls and an
 * interrupted one goes on where it stopped. One file each, for the owner's eyes alone.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";

import * as z from "zod/mini";

import {
  groupedSummarySchema,
  summarySchema,
  type GroupedSummary,
  type Summary,
} from "../contract/summary.js";
import { ComandaError } from "../shared/errors.js";
import { ifPresent, withFileErrors } from "./files/file-errors.js";
import type { StateFolder } from "./state-folder.js";

/**
 * What an answer is the answer to. Everything that decides about it has to be in here: the environment's address, the
 * sign-in (see `Target.identity`), and the query as it went out.
 */
export interface FiguresKey {
  readonly baseUrl: string;
  readonly identity: string;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface AnswerCache<Answer> {
  read(key: FiguresKey): Answer | undefined;
  write(key: FiguresKey, answer: Answer): void;
}

/** Never fails: where the folder can't be used, it keeps nothing, with one warning. */
export interface FiguresCache {
  readonly summary: AnswerCache<Summary>;
  readonly grouped: AnswerCache<GroupedSummary>;
}

type Kind = keyof FiguresCache;

/**
 * A window's answer is kept once the window ended this long ago. Until then orders of its last hours are still on their
 * way to `closed` or `canceled`.
 */
export const closedAfterMs = 6 * 60 * 60_000;

/** What wasn't written anew for so long is removed. */
const keptForMs = 90 * 24 * 60 * 60_000;

const entrySchema = z.object({ version: z.literal(1), key: z.string(), answer: z.unknown() });

export function openFiguresCache(state: StateFolder): FiguresCache {
  const { files, clock } = state;
  const folder = cacheFolder(state);
  let usable = true;
  let tidied = false;

  function tidyUp(): void {
    if (tidied) return;
    tidied = true;
    for (const file of entries(state)) {
      const age = clock.now() - (ifPresent(() => lstatSync(file).mtimeMs) ?? 0);
      if (age > keptForMs) files.remove(file);
    }
  }

  const answers = <Answer>(kind: Kind, schema: z.ZodMiniType<Answer>): AnswerCache<Answer> => ({
    read(key) {
      if (!usable) return undefined;
      const text = readText(() => files.read(fileOf(folder, kind, key)));
      const entry = z.safeParse(entrySchema, parsed(text));
      if (!entry.success || entry.data.key !== keyText(kind, key)) return undefined;
      const answer = z.safeParse(schema, entry.data.answer);
      return answer.success ? answer.data : undefined;
    },
    write(key, answer) {
      if (!usable) return;
      try {
        const text = JSON.stringify({ version: 1, key: keyText(kind, key), answer });
        files.write(fileOf(folder, kind, key), text, { durable: false });
        tidyUp();
      } catch (error) {
        if (!(error instanceof ComandaError)) throw error;
        usable = false;
        state.warn(`${error.message} Figures are not kept for the next time.`);
      }
    },
  });
  return { summary: answers("summary", summarySchema), grouped: answers("grouped", groupedSummarySchema) };
}

/**
 * Removes all that is kept.
 *
 * @returns the number of answers
 * @throws {ComandaError} `state_unusable`
 */
export function clearFiguresCache(state: StateFolder): number {
  const kept = entries(state);
  for (const file of kept) state.files.remove(file);
  return kept.length;
}

function cacheFolder({ path: folder }: StateFolder): string {
  return path.join(folder, "cache");
}

/** Regular files of the cache's own names; whatever else lies there isn't ours. */
function entries(state: StateFolder): string[] {
  const folder = cacheFolder(state);
  if (!state.files.sweep(folder)) return [];
  return withFileErrors("read", folder, () => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /^(?:summary|grouped)-[0-9a-f]{32}\.json$/.test(entry.name))
    .map(({ name }) => path.join(folder, name));
}

function fileOf(folder: string, kind: Kind, key: FiguresKey): string {
  const digest = createHash("sha256").update(keyText(kind, key)).digest("hex").slice(0, 32);
  return path.join(folder, `${kind}-${digest}.json`);
}

function keyText(kind: Kind, { baseUrl, identity, query }: FiguresKey): string {
  return JSON.stringify([kind, baseUrl, identity, query]);
}

/** A file that is damaged, or that others could have written, is no answer: it is asked for again. */
function readText(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return undefined;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
