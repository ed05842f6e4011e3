/** Builders for figures without a service. */
import { ComandaError } from "../../src/base/errors.js";
import { storeFigures } from "../../src/core/figures.js";
import type { FiguresResult, Grouping, StoreFigures } from "../../src/core/figures.js";
import type { Figures, Row } from "../../src/sales/figures.js";
import { parseDate, wholeDays } from "../../src/sales/period.js";

const zone = "America/Sao_Paulo";

export function figuresOf(first: string, last: string, rows: readonly Row[], cached = false): Figures {
  const period = wholeDays({ label: "typed", zone, first: parseDate(first), last: parseDate(last) });
  return { period, rows, askedAt: Date.parse("2026-11-20T15:00:00Z"), cached };
}

export function row(
  key: Row["key"],
  orders: number,
  revenue: number,
  label: string | null = null,
  days?: number,
): Row {
  return { key, label, orders, revenue, ...(days !== undefined && { days }) };
}

/** Reads rows such as `9=3 null=7 d(Friday)=1`: key, label and number of orders, at 10.00 each. */
export function rowsIn(text: string): Row[] {
  return (text.match(/\S+/g) ?? []).map((part) => {
    const [, name = "", label = null, orders] = /^([^(]+)(?:\((.+)\))?=(\d+)$/.exec(part) ?? [];
    const key = name === "null" ? null : /^\d+$/.test(name) ? Number(name) : name;
    return row(key, Number(orders), Number(orders) * 1_000, label);
  });
}

export function store(
  name: string | null,
  current: Figures,
  previous?: Figures,
  { by, sort, top, ...more }: Partial<Pick<StoreFigures, "currency" | "locale">> & Grouping = {},
): StoreFigures {
  const sides = { currency: "BRL", locale: "en-US", current, ...(previous && { previous }), ...more };
  return storeFigures({ store: name, ...sides }, { by, sort, top });
}

export function missing(name: string) {
  return { store: name, error: new ComandaError("token_refused", "The service refused the sign-in.") };
}

export function result(stores: FiguresResult["stores"], more: Partial<FiguresResult> = {}): FiguresResult {
  const query = { filters: [], dateField: "created_at", typed: [], net: false } as const;
  return { by: undefined, several: false, query, stores, ...more };
}
