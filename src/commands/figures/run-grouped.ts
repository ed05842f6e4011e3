/** `comanda grouped`. */
import { comparisonShape, groupedShape, periodShape, storesShape } from "../../summary/present/json.js";
import type { GroupedComparisonShape, GroupedShape } from "../../summary/present/json.js";
import { totalOfGroups, type StoreResult, type StoresTotal } from "../../summary/merge/stores.js";
import { isTimeline } from "../../summary/merge/timeline.js";
import { ComandaError } from "../../errors/index.js";
import type { Invocation } from "../leaf.js";

import { arrange, parseRanking, type Arranged } from "./arrange.js";
import { checkCsvFlags } from "./csv.js";
import { failForMissing, gather, type Gathered } from "./gather.js";
import { sayWindows } from "./heading.js";
import { usualPeriod, type GroupedOptions } from "./options.js";
import { parseDimension, parseRequest, type AskedPeriods, type FiguresRequest } from "./request.js";
import { mapFigures, type GroupFigures } from "./results.js";

export async function runGrouped(invocation: Invocation, options: GroupedOptions): Promise<void> {
  const { context, output } = invocation;
  checkCsvFlags(options, output.format);
  if (options.chart && output.format !== "table") {
    throw new ComandaError("usage", `--chart doesn't go with --format ${output.format}.`, {
      hint: "Bars are for people: leave out one of the two.",
    });
  }
  const request = parseRequest(options, usualPeriod);
  const dimension = parseDimension(options.by, request.dateField);
  const ranking = parseRanking(options);
  const { several, results } = await gather<GroupFigures>(invocation, {
    ...{ label: "grouped", options, request },
    questions: ({ current, previous }) =>
      [current, ...(previous ? [previous] : [])].map((asked) => ({ asked, dimension })),
    fetch: async (fetcher, { current, previous }, signal) => ({
      current: await fetcher.grouped(current, dimension, signal),
      previous: previous && (await fetcher.grouped(previous, dimension, signal)),
    }),
  });
  sayWindows(output, results);
  const arranged = mapFigures(results, (gathered) => ({
    ...gathered,
    figures: arrange(gathered.figures, { ...gathered, dimension, ranking }),
  }));
  const total = several ? totalOf(results) : null;
  if (output.json) output.value(shapeOf(arranged, total, request, several));
  else {
    const { showGroups } = await import("./show-groups.js");
    const chart = options.chart ?? (context.stdout.isTTY === true && isTemporal(dimension));
    await showGroups(output, {
      results: arranged,
      total,
      options,
      dimension,
      ...(chart && { width: widthOf(context) }),
    });
  }
  failForMissing(results);

  function totalOf(stores: readonly StoreResult<Gathered<GroupFigures>>[]): StoresTotal<Arranged> | null {
    const current = totalOfGroups(
      mapFigures(stores, ({ figures }) => figures.current),
      dimension,
    );
    const [any] = stores.flatMap((one) => ("figures" in one ? [one.figures] : []));
    if (!current || !any) return null;
    const previous = stores.flatMap((one) =>
      "figures" in one && one.figures.figures.previous
        ? [{ store: one.store, figures: one.figures.figures.previous }]
        : [],
    );
    const figures = { current: current.figures, previous: totalOfGroups(previous, dimension)?.figures };
    const { asked, preferences } = any;
    return {
      ...current,
      figures: arrange(figures, { asked, dimension, ranking, preferences }),
    };
  }
}

function isTemporal(dimension: string): boolean {
  return isTimeline(dimension) || dimension === "hour" || dimension === "day_of_week";
}

function widthOf({ stdout }: Invocation["context"]): number {
  return stdout.columns ?? 80;
}

function shapeOf(
  results: readonly StoreResult<Gathered<Arranged>>[],
  total: StoresTotal<Arranged> | null,
  request: FiguresRequest,
  several: boolean,
): object {
  const shapes = mapFigures(results, ({ figures, asked }) => groupsShape(figures, asked, request));
  const [only] = shapes;
  if (!several && only && "figures" in only) return only.figures;
  const [any] = results.flatMap((one) => ("figures" in one ? [one.figures.asked] : []));
  return storesShape(
    shapes,
    total && any ? { ...total, figures: groupsShape(total.figures, any, request) } : null,
  );
}

function groupsShape(
  { groupBy, compared, groups, rest }: Arranged,
  asked: AskedPeriods,
  { dateField }: FiguresRequest,
): GroupedShape | GroupedComparisonShape {
  const side = (of: "current" | "previous"): GroupedShape =>
    groupedShape({ group_by: groupBy, groups: groups.flatMap((one) => one[of] ?? []) }, rest?.[of] ?? null);
  if (!compared || !asked.previous) return side("current");
  return comparisonShape(
    { period: periodShape(asked.current.period, dateField), figures: side("current") },
    { period: periodShape(asked.previous.period, dateField), figures: side("previous") },
    {
      group_by: groupBy,
      groups: groups.flatMap(({ change }) => change ?? []),
      ...(rest?.change && { rest: rest.change }),
    },
  );
}
