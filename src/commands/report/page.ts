/** From a report's figures to its page. */
import { compareMetrics } from "../../summary/compare/metrics.js";
import { describePeriod } from "../../summary/period/period.js";
import { renderReport } from "../../summary/page/document.js";
import type { Report } from "../../summary/page/report.js";
import { formatFor, totalFormat } from "../figures/format.js";
import type { Invocation } from "../leaf.js";

import type { FinishedReport } from "./finished.js";

/** `undefined` where no store gave figures. */
export function renderPage(
  { context, output }: Invocation,
  { several, results, total, options }: FinishedReport,
): string | undefined {
  const [first] = results.flatMap((one) => ("figures" in one ? [one.figures] : []));
  const format = several ? totalFormat(output, results) : first && formatFor(first.preferences);
  if (!first || !total || !format) return undefined;
  const { asked, preferences } = first;
  const { current, previous, groups } = total.figures;
  const now = context.clock.now();
  const zoned = new Intl.DateTimeFormat(preferences.locale, {
    ...{ dateStyle: "long", timeStyle: "short", timeZone: preferences.zone },
  });
  const { from, to } = asked.current.period;
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: preferences.zone }).format(now);
  const report: Report = {
    covered: total.covered,
    stores: several
      ? results.map((one) =>
          "error" in one
            ? { store: one.store, metrics: undefined, problem: one.error.message }
            : { store: one.store, metrics: one.figures.figures.current, problem: undefined },
        )
      : [],
    window: describePeriod(asked.current.period),
    previousWindow: asked.previous && describePeriod(asked.previous.period),
    days: [from.date, options.dateField === "scheduled_date" || to.date < today ? to.date : today],
    filters: options.filter ?? [],
    madeAt: zoned.format(now),
    ...{ metrics: current, previous, change: previous && compareMetrics(current, previous) },
    sections: [...groups].map(([dimension, { grouped }]) => ({ dimension, groups: grouped.groups })),
    ...{ format, locale: preferences.locale },
  };
  return renderReport(report);
}

/** Named by its days, so that October's is not written over by November's. */
export function usualName({ results }: FinishedReport): string {
  const [first] = results.flatMap((one) => ("figures" in one ? [one.figures.asked.current.period] : []));
  if (!first) return "report.html";
  const { unit, kind, from, to } = first;
  if (unit === "month" && kind === "days") return `report-${from.date.slice(0, 7)}.html`;
  return `report-${from.date === to.date ? from.date : `${from.date}-to-${to.date}`}.html`;
}
