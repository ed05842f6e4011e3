/**
 * These sentences stand beside sales figures: which days they are of, what has changed since, and which stores gave
 * none.
 */
import { ComandaError } from "../../shared/errors.js";
import { groupBy } from "../../shared/group-by.js";
import { t } from "../../shared/language.js";
import type { Restatement } from "../ledger/restatements.js";
import { createNumberFormat } from "../present/number-format.js";
import { restatedLines } from "../present/restated.js";
import {
  answeringStores,
  type Display,
  type MissingStore,
  type SalesResult,
  type StoreFigures,
} from "../results.js";
import type { Output } from "../../terminal/index.js";

import type { Preferences } from "./preferences.js";

/** A story is told of one store, or once with the names of all stores of which it is true. */
export interface Story {
  readonly store: string;
  readonly say: (stores: string) => string;
}

/** More lines would tell nobody more. */
const maxLines = 10;

/**
 * Makes lines of stories. What is true of several stores is one line with all their names, so that a thousand stores
 * are told in a few.
 */
export function linesOf(stories: readonly Story[]): readonly string[] {
  const storiesByText = [...groupBy(stories, (story) => story.say("\0")).values()];
  const lines = storiesByText
    .slice(0, maxLines)
    .flatMap((alike) => alike[0]?.say(manyNames(alike.map(({ store }) => store))) ?? []);
  const untold = storiesByText.slice(maxLines).flat();
  if (untold.length === 0) return lines;
  const stores = new Set(stories.map(({ store }) => store));
  return [
    ...lines,
    stores.size === 1
      ? t`… and ${untold.length} more; --json has them all.`
      : t`… and ${untold.length} more, of ${manyNames(untold.map(({ store }) => store))}.`,
  ];
}

/** Makes lines of each store, with its name where there are several. The first line of each store comes first. */
export function storyLines(
  stores: readonly { readonly store: string; readonly lines: readonly string[] }[],
  areSeveral: boolean,
): readonly string[] {
  const stories = stores.flatMap(({ store, lines }) =>
    lines.map((line, place) => ({
      ...{ store, place },
      say: (names: string) => (areSeveral ? `${names}: ${line}` : line),
    })),
  );
  return linesOf(stories.toSorted((left, other) => left.place - other.place));
}

/** Warns of figures of a store that don't agree with each other. JSON has them as data. */
export function warnOfDifferences<Figures>(
  output: Output,
  result: SalesResult<Figures>,
  textsOf: (figures: Figures, display: Display) => readonly string[],
): void {
  const stores = answeringStores(result).map(({ store, figures, display }) => {
    return { store, lines: textsOf(figures, display) };
  });
  for (const line of storyLines(stores, result.areSeveral)) output.warn(line);
}

/**
 * Warns of guessed zones. Another machine would count other days, so each run warns until somebody says which zone it
 * is.
 */
export function sayGuessedZones(
  output: Pick<Output, "warn">,
  stores: readonly {
    readonly name: string;
    readonly preferences: Pick<Preferences, "zone" | "zoneIsGuessed">;
  }[],
): void {
  const stories = stores.flatMap(({ name: store, preferences: { zone, zoneIsGuessed } }): Story[] => {
    const say = (names: string) =>
      t`The days of ${names} are counted in this machine's time zone, ${zone}, which may not be the store's. Say which is: comanda stores set ${names.includes(",") ? "<alias>" : names} --tz <zone>`;
    return zoneIsGuessed ? [{ store, say }] : [];
  });
  for (const line of linesOf(stories)) output.warn(line);
}

/** Says which window the figures are of, once for all stores that share it. */
export function sayWindows(output: Output, result: SalesResult<unknown>): void {
  for (const line of windowLines(result, () => true)) output.heading(line);
}

/**
 * Says that figures were kept beside a table in a pipe, where no heading was said. JSON, CSV, a report's page and the
 * file of `--append` have it themselves.
 */
export function sayKept(output: Output, result: SalesResult<unknown>): void {
  if (output.hasViewer || !["table", "markdown"].includes(output.format)) return;
  for (const line of windowLines(result, ({ age }) => age.kept)) output.notice(line);
}

function windowLines(
  result: SalesResult<unknown>,
  isMentioned: (store: StoreFigures<unknown>) => boolean,
): readonly string[] {
  const stores = answeringStores(result);
  const isOne = stores.every(({ window }) => window === stores[0]?.window);
  return linesOf(
    stores.filter(isMentioned).map(({ store, window }) => ({
      store,
      say: (names) => (isOne ? window : `${names}: ${window}`),
    })),
  );
}

/** Says what has changed since earlier answers. JSON has it beside the figures. */
export function sayRestated(output: Output, results: SalesResult<unknown>, now: number): void {
  if (output.json) return;
  const stores = answeringStores(results).map((store) => ({ ...store, restated: store.age.restated }));
  for (const line of restatedTexts(stores, stores.length > 1, now)) output.notice(line);
}

export function restatedTexts(
  stores: readonly (Pick<StoreFigures<unknown>, "store" | "display" | "zone"> & {
    readonly restated: readonly Restatement[] | undefined;
  })[],
  areSeveral: boolean,
  now: number,
): readonly string[] {
  const stories = stores.flatMap(({ store, display, zone, restated = [] }) =>
    // Formats take longer to make than all else, and most answers are what they were.
    restated.length === 0
      ? []
      : { store, lines: restatedLines(restated, { format: createNumberFormat(display), zone, now }) },
  );
  return storyLines(stories, areSeveral);
}

/** Ends a command of several stores with exit code 10, and says why each store failed. */
export function missingStores({
  stores,
}: {
  readonly stores: readonly (MissingStore | { readonly kind: "figures" })[];
}): ComandaError | undefined {
  const missing = stores.filter((store) => store.kind === "missing");
  if (missing.length === 0) return undefined;
  const names = manyNames(missing.map(({ store }) => store));
  return new ComandaError(
    "some_failed",
    t`${missing.length} of ${stores.length} stores gave no figures: ${names}.`,
    {
      hint: causesOf(missing)
        .map(([text, alike]) =>
          alike.length === 1 ? text : t`${text} So it is with ${manyNames(alike.map(({ store }) => store))}.`,
        )
        .join("\n"),
    },
  );
}

/**
 * Groups stores by the cause of their failure: a thousand sign-ins that end in one night are one line, which tells of
 * the first.
 */
function causesOf(
  missing: readonly MissingStore[],
): readonly (readonly [text: string, stores: readonly MissingStore[]])[] {
  const causes = groupBy(missing, (store) =>
    textOf(store).replaceAll(/[^\s"',;:()]+/gu, (word) => (word === store.store ? "\0" : word)),
  );
  return [...causes.values()].flatMap((stores) => (stores[0] ? [[textOf(stores[0]), stores] as const] : []));
}

function textOf({ store, error }: MissingStore): string {
  return [`${store}: ${error.message}`, error.hint].filter(Boolean).join(" ");
}

export function manyNames(all: readonly string[]): string {
  const names = [...new Set(all)];
  const first = names.slice(0, maxLines).join(", ");
  return names.length > maxLines ? t`${first} and ${names.length - maxLines} more` : first;
}
