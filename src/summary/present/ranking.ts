/** `--sort` and `--top`. */
import type { Group } from "../../contract/summary.js";
import { ComandaError } from "../../errors/index.js";
import { suggestion } from "../../basics/nearest.js";
import { addTotals, type Metrics, metricsOf, nothing, totalsOf } from "../merge/sums.js";

export const sortFields = ["revenue", "orders", "average", "label", "key"] as const;
export type SortField = (typeof sortFields)[number];

/** What has a name and figures to be ranked by. */
export type Ranked = Metrics & Pick<Group, "key" | "label">;

export interface Sort {
  readonly field: SortField;
  readonly descending: boolean;
}

/**
 * Reads `revenue`, `label` or, with a direction, `revenue:asc`. Without one, figures go down and names go up.
 *
 * @throws {ComandaError} `invalid_input` for another field or direction
 */
export function parseSort(text: string): Sort {
  const [name = "", direction, ...rest] = text.split(":");
  const field = sortFields.find((one) => one === name);
  const known = direction === undefined || direction === "asc" || direction === "desc";
  if (field !== undefined && known && rest.length === 0) {
    const figures = field !== "label" && field !== "key";
    return { field, descending: direction === undefined ? figures : direction === "desc" };
  }
  const meant = field === undefined ? suggestion(name, sortFields) : "";
  throw new ComandaError("invalid_input", `Groups can't be sorted by "${text}".${meant}`, {
    hint: `Give --sort ${sortFields.join(", ")}, each with :asc or :desc after it if wanted.`,
  });
}

/**
 * A sorted copy. Equal groups keep their order; a missing label or key comes last, whichever the direction.
 *
 * @param locale decides how labels are ordered; keys are ordered by number where both are one
 */
export function sortGroups<One extends Ranked>(
  groups: readonly One[],
  { field, descending }: Sort,
  locale = "en",
): readonly One[] {
  const collator = new Intl.Collator(locale, { numeric: true });
  const sign = descending ? -1 : 1;
  if (field === "label" || field === "key") {
    const text = (one: One): string | null => (one[field] === null ? null : String(one[field]));
    return groups.toSorted((a, b) => {
      const [left, right] = [text(a), text(b)];
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      return sign * collator.compare(left, right);
    });
  }
  const value = valueOf[field];
  return groups.toSorted((a, b) => sign * (value(a) - value(b)));
}

const valueOf = {
  revenue: (one: Ranked) => one.total_revenue,
  orders: (one: Ranked) => one.total_order_count,
  average: (one: Ranked) => one.average_order_value,
} as const;

/** What `--top N` leaves out, as one line. */
export interface Rest extends Metrics {
  readonly group_count: number;
}

/** @throws {ComandaError} `invalid_input` for anything but a whole number of at least 1 */
export function parseTop(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new ComandaError("invalid_input", `--top can't be "${text}".`, {
    hint: "Give a whole number of at least 1.",
  });
}

/** The first `count` groups; with them what the others sum up to, where there are any. */
export function topGroups<One extends Ranked>(
  groups: readonly One[],
  count: number,
): { readonly groups: readonly One[]; readonly rest: Rest | null } {
  const others = groups.slice(count);
  if (others.length === 0) return { groups, rest: null };
  const sum = metricsOf(others.map((one) => totalsOf(one)).reduce(addTotals, nothing));
  return { groups: groups.slice(0, count), rest: { group_count: others.length, ...sum } };
}
