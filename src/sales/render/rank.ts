/** `--sort` and `--top` decide which groups are shown, and in which order. */
import { averageCents } from "../../api/money.js";
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Pair, Row } from "../figures.js";

const values = {
  revenue: ({ revenue }: Row) => revenue,
  orders: ({ orders }: Row) => orders,
  average: ({ revenue, orders }: Row) => averageCents(revenue, orders),
  label: ({ label }: Row) => label,
  key: ({ key }: Row) => key,
} as const;

export interface Sort {
  readonly field: keyof typeof values;
  readonly descending: boolean;
}

/**
 * Reads `revenue`, `label` or, with a direction, `revenue:asc`. Without one, figures go down and names go up.
 *
 * @throws {ComandaError} `invalid_input` for another field or direction
 */
export function parseSort(text: string): Sort {
  const [, name, direction] = /^(\w+)(?::(asc|desc))?$/.exec(text) ?? [];
  const field = (["revenue", "orders", "average", "label", "key"] as const).find((field) => field === name);
  if (field === undefined) {
    throw new ComandaError("invalid_input", t`Groups can't be sorted by "${text}".`, {
      hint: t`Give --sort ${Object.keys(values).join(", ")}, each with :asc or :desc after it if wanted.`,
    });
  }
  const isName = field === "label" || field === "key";
  return { field, descending: direction === undefined ? !isName : direction === "desc" };
}

/** Equal groups keep their order. A group that this period doesn't have, or one without a label or key, comes last. */
export function rank(pairs: readonly Pair[], sort: Sort | undefined, locale: string): readonly Pair[] {
  if (!sort) return pairs;
  const collator = new Intl.Collator(locale, { numeric: true });
  const valueOf = ({ current, previous }: Pair) => {
    const isName = sort.field === "label" || sort.field === "key";
    const row = current ?? (isName ? previous : undefined);
    return row ? values[sort.field](row) : null;
  };
  return pairs
    .map((pair) => ({ pair, value: valueOf(pair) }))
    .toSorted(({ value: left }, { value: right }) => {
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      const areNumbers = typeof left === "number" && typeof right === "number";
      const order = areNumbers ? left - right : collator.compare(String(left), String(right));
      return sort.descending ? -order : order;
    })
    .map(({ pair }) => pair);
}
