/** The JSON document of figures (`results.ts`). */
import type * as z from "zod";

import { changeOf, metricsOf, noOrders, perDayOf, isPerDay, isTimeline, totalOf } from "../sales/figures.js";
import type { Figures, Pair, Row } from "../sales/figures.js";
import { edgesOf } from "../sales/period.js";
import type { MissingStore } from "./connection.js";
import type { FiguresResult, StoreFigures } from "./figures.js";
import type * as results from "./results.js";

/** Returns one store's figures, or those of several stores, as one document. */
export function figuresDocument(
  result: FiguresResult,
): z.output<typeof results.storeFigures | typeof results.comparedFigures | typeof results.figuresOfStores> {
  const { several, stores, total } = result;
  const [only] = stores;
  if (!several && only && "current" in only) return storeDocument(result, only);
  return {
    stores: stores.map((store) => ("error" in store ? missingDocument(store) : storeDocument(result, store))),
    total: total ? storeDocument(result, total) : null,
  };
}

export function missingDocument({ store, error }: MissingStore): z.output<typeof results.missingStore> {
  const { exitCode, code, serviceCode, message } = error;
  return { store, error: { exit_code: exitCode, code, service_code: serviceCode, message } };
}

function storeDocument({ by, query, alerts }: FiguresResult, figures: StoreFigures) {
  const { store, currency, current, previous, pairs, omitted, totals } = figures;
  const sideOf = ({ period, askedAt, cached }: Figures, side: "current" | "previous") => {
    const rows = pairs.flatMap((pair) => pair[side] ?? []);
    const left = omitted.flatMap((pair) => pair[side] ?? []);
    return {
      ...(by === undefined
        ? metricsOf(rows[0] ?? noOrders)
        : {
            group_by: by,
            groups: rows.map(groupLine),
            totals: metricsOf(totals[side] ?? noOrders),
            ...(left.length > 0 && { omitted: { groups: left.length, ...metricsOf(totalOf(left)) } }),
          }),
      period: {
        ...(previous && { label: period.label }),
        ...edgesOf(period, query.dateField),
        time_zone: period.zone,
        ...(period.dayStarts !== undefined && { day_starts: period.dayStarts }),
      },
      asked_at: new Date(askedAt).toISOString(),
      cached,
    };
  };
  const judged = alerts?.flatMap(({ store: alias, rule, holds, value, baseline }) =>
    alias === store ? { rule: rule.text, holds, value, baseline } : [],
  );
  const about = { store, query: { filters: [...query.filters], date_field: query.dateField }, currency };
  const judgement = judged && store !== null ? { alerts: judged } : {};
  if (!previous) return { ...about, ...sideOf(current, "current"), ...judgement };
  const [pair] = pairs;
  return {
    ...about,
    current: sideOf(current, "current"),
    previous: sideOf(previous, "previous"),
    change:
      by === undefined
        ? pair
          ? changeOf(pair)
          : null
        : {
            group_by: by,
            groups: pairs.map((each) => groupChange(each, isTimeline(by), isPerDay(by))),
            totals: changesOf(totals),
          },
    ...judgement,
  };
}

function groupLine({ key, label, days, ...row }: Row) {
  return { key, label, ...metricsOf(row), ...(days !== undefined && { days }) };
}

/**
 * @param isByPosition whether the previous group has another key
 * @param hasDays whether groups are also compared per day
 */
function groupChange(pair: Pair, isByPosition: boolean, hasDays: boolean) {
  const { current, previous } = pair;
  const { key = null, label = null } = current ?? (isByPosition ? {} : (previous ?? {}));
  return {
    key,
    label,
    ...(isByPosition && { previous_key: previous?.key ?? null }),
    ...changesOf(pair),
    ...(hasDays && { per_day: perDayOf(pair) }),
  };
}

/** Returns changes that are all null if one side is missing. */
function changesOf(pair: Pair) {
  return changeOf(pair) ?? { total_order_count: null, total_revenue: null, average_order_value: null };
}
