/** What is said beside sales figures: which days they are of, what has changed since, and which stores gave none. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import { createNumberFormat } from "../present/number-format.js";
import { restatedLines } from "../present/restated.js";
import { answered, type MissingStore, type SalesResult, type StoreFigures } from "../results.js";
import type { Output } from "../../terminal/index.js";

import { openOf, type OpenStores } from "./stores.js";

/** Another machine would count other days: each run says so, until somebody says which zone it is. */
export function sayGuessedZones(output: Output, opened: OpenStores): void {
  for (const store of openOf(opened)) {
    if (!store.preferences.zoneIsGuessed) continue;
    const { zone } = store.preferences;
    output.warn(
      t`The days of ${store.name} are counted in this machine's time zone, ${zone}, which may not be the store's. Say which is: comanda stores set ${store.name} --tz <zone>`,
    );
  }
}

/** Which window the figures are of, for whoever looks on; said once for all stores that share it. */
export function sayWindows(output: Output, results: SalesResult<unknown>): void {
  for (const { text } of windowsOf(results)) output.heading(text);
}

/**
 * That figures were kept stands beside a table in any case, also in a pipe, where no heading was said. JSON, CSV, a report's
 * page and the file of `--append` have it themselves.
 */
export function sayKept(output: Output, results: SalesResult<unknown>): void {
  if (output.isLookedOn || !["table", "markdown"].includes(output.format)) return;
  for (const { text, kept } of windowsOf(results)) if (kept) output.notice(text);
}

function windowsOf(results: SalesResult<unknown>) {
  const byText = new Map<string, StoreFigures<unknown>[]>();
  for (const storeFigures of answered(results))
    byText.set(storeFigures.window, [...(byText.get(storeFigures.window) ?? []), storeFigures]);
  return [...byText].map(([window, stores]) => ({
    text: byText.size === 1 ? window : `${stores.map(({ store }) => store).join(", ")}: ${window}`,
    kept: stores.some(({ age }) => age.kept),
  }));
}

/** What has changed since it was told before. JSON has it beside the figures. */
export function sayRestated(output: Output, results: SalesResult<unknown>, now: number): void {
  if (output.json) return;
  const stores = answered(results);
  for (const { store, age, zone, display } of stores) {
    if (!age.restated) continue;
    const lines = restatedLines(age.restated, { format: createNumberFormat(display), zone, now });
    for (const line of lines) output.notice(stores.length === 1 ? line : `${store}: ${line}`);
  }
}

/** What ends a command of several stores with exit code 10: it says of each store that failed why. */
export function missingStores(result: SalesResult<unknown>): ComandaError | undefined {
  return missingAmong(result.stores);
}

export function missingAmong(
  stores: readonly (MissingStore | { readonly kind: "figures" })[],
): ComandaError | undefined {
  const missing = stores.filter((store) => store.kind === "missing");
  if (missing.length === 0) return undefined;
  const names = manyNames(missing);
  return new ComandaError(
    "some_failed",
    t`${missing.length} of ${stores.length} stores gave no figures: ${names}.`,
    {
      hint: causesOf(missing)
        .map(([text, stores]) =>
          stores.length === 1 ? text : t`${text} So it is with ${manyNames(stores)}.`,
        )
        .join("\n"),
    },
  );
}

/** A thousand sign-ins that end in one night are one line, which tells of the first. */
function causesOf(
  missing: readonly MissingStore[],
): readonly (readonly [text: string, stores: readonly MissingStore[]])[] {
  const causes = new Map<string, MissingStore[]>();
  for (const store of missing) {
    const cause = textOf(store).replaceAll(/[^\s"',;:()]+/gu, (word) => (word === store.store ? "\0" : word));
    causes.set(cause, [...(causes.get(cause) ?? []), store]);
  }
  return [...causes.values()].flatMap((stores) => (stores[0] ? [[textOf(stores[0]), stores] as const] : []));
}

function textOf({ store, error }: MissingStore): string {
  return [`${store}: ${error.message}`, error.hint].filter(Boolean).join(" ");
}

function manyNames(stores: readonly MissingStore[]): string {
  const names = stores
    .slice(0, 10)
    .map(({ store }) => store)
    .join(", ");
  return stores.length > 10 ? t`${names} and ${stores.length - 10} more` : names;
}
