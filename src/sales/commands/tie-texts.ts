/** `tie` and the foot of a report say in these texts how figures compared with each other. */
import { dimensions } from "../../contract/enums.js";
import { plural, t, translated } from "../../shared/language.js";
import { shownDate } from "../../shared/local-time.js";
import type { StoreTie } from "../ask/tie-store.js";
import type { TieDifference } from "../ledger/tie.js";
import { sectionTitles } from "../present/labels.js";

/** @returns `undefined` where figures differ, or nothing could be compared */
export function agreementText(ties: readonly StoreTie[]): string | undefined {
  const checks = ties.reduce((sum, tie) => sum + tie.checks, 0);
  if (checks === 0 || ties.some(({ differences }) => differences.length > 0)) return undefined;
  return plural(checks, {
    one: t`1 check: the figures agree.`,
    other: t`${checks} checks: all figures agree.`,
  });
}

export function differenceTexts(ties: readonly StoreTie[]): readonly string[] {
  return ties.flatMap(({ store, differences, amount }) =>
    differences.map((difference) => {
      const text = (value: number) => figureText({ ...difference, amount }, value);
      const line = t`${whatText(difference)}: ${text(difference.said)} in the whole, ${text(difference.counted)} in its parts.`;
      return ties.length > 1 ? `${store}: ${line}` : line;
    }),
  );
}

/** Writes orders as a number, and amounts by the store's locale and currency. */
export function figureText(
  { measure, amount }: Pick<TieDifference, "measure"> & Pick<StoreTie, "amount">,
  value: number,
): string {
  return measure === "orders" ? String(value) : amount(value);
}

/**
 * Says how many of each driver's orders were assigned here. A machine that assigns no drivers has nothing to say of
 * them.
 */
export function coverageTexts(ties: readonly StoreTie[]): readonly string[] {
  return ties
    .filter(({ drivers }) => drivers.some(({ assigned }) => assigned > 0))
    .flatMap(({ drivers, amount }) =>
      drivers.map(
        ({ driver, name, orders, assigned, fees }) =>
          t`${name ?? driver}: ${assigned} of ${orders} orders were assigned here, fees ${amount(fees)}.`,
      ),
    );
}

export function whatText({ measure, by, from, to, filters, date_field: dateField }: TieDifference): string {
  const measures = { orders: t`Orders`, revenue: t`Revenue`, average: t`Average` };
  const dimension = dimensions.find((name) => name === by);
  const days = from === to ? shownDate(from) : t`${shownDate(from)} to ${shownDate(to)}`;
  return [
    measures[measure],
    ...(by === "days" ? [t`By day`] : dimension ? [translated(sectionTitles[dimension].title)] : []),
    days,
    ...(dateField === "created_at" ? [] : [t`by scheduled date`]),
    ...(filters === "[]" ? [] : [filters]),
  ].join(", ");
}

/** Rounds to two decimals, which drops the error of binary fractions from a difference. */
export function roundToCents(value: number): number {
  return Math.round(value * 100) / 100;
}
