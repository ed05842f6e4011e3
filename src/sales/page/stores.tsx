/** Shows what each store has, and what has changed in it since the last report. */
import { t } from "../../shared/language.js";
import { totalName } from "../present/columns.js";
import { localLabels } from "../present/labels.js";
import { createNumberFormat } from "../present/number-format.js";
import { flatten } from "../present/text.js";
import type { ReportFigures } from "../report/plan.js";
import type { changesSince } from "../report/said.js";
import type { SalesResult, StoreFigures } from "../results.js";
import { FiguresTable, type FiguresTableRow } from "./figures-table.js";

/** Shows a line for each store, those that gave no figures included, and for the sum of several in one currency. */
export function StoreTable({ result }: { readonly result: SalesResult<ReportFigures> }) {
  const rowOf = (
    name: string,
    { figures: { summary, sections }, display }: Pick<StoreFigures<ReportFigures>, "figures" | "display">,
  ): FiguresTableRow => ({
    name,
    metrics: summary.current.figures,
    previous: summary.previous?.figures,
    line: sections.get("day")?.current.figures.grouped.groups.map(({ total_revenue }) => total_revenue) ?? [],
    format: createNumberFormat(display),
  });
  const rows = [
    ...result.stores.map((store) =>
      store.kind === "figures"
        ? rowOf(store.store, store)
        : { name: store.store, problem: t`Not covered: ${flatten(store.error.message)}` },
    ),
    ...result.totals.flatMap((total) =>
      total.covered.length > 1 ? rowOf(totalName(result, total.display), total) : [],
    ),
  ];
  return (
    <section aria-labelledby="stores" class="block">
      <h2 id="stores">{t`By store`}</h2>
      <FiguresTable caption={t`Orders and revenue by store`} column={t`Store`} rows={rows} />
    </section>
  );
}

/** Writes a time in words. */
export type Moment = (epochMs: number) => string;

/** A page holds no more days than this; `comanda changes` lists them all. */
const maxDays = 31;

interface SinceProps {
  readonly changes: ReturnType<typeof changesSince>;
  readonly moment: Moment;
}

/** Tells what has changed since the last report: of each store the whole period, and its days. */
export function Since({ changes, moment }: SinceProps) {
  const saidAt = moment(Math.min(...changes.map(({ figures }) => figures.saidAt)));
  const changed = changes.map(({ store, figures, display }) => {
    const days = figures.sections.get("day") ?? [];
    const labels = localLabels(days, { dimension: "day", locale: display.locale });
    const format = createNumberFormat(display);
    const rowOf = (
      text: string,
      { now, before }: Pick<typeof figures, "now" | "before">,
    ): FiguresTableRow => {
      const name = changes.length > 1 ? `${store}: ${text}` : text;
      return { name, metrics: now, previous: before, format };
    };
    return {
      whole: days.length > 0 ? [rowOf(t`The whole period`, figures)] : [],
      days: days.map((day, index) => rowOf(labels[index] ?? "", day)),
    };
  });
  const days = changed.flatMap((store) => store.days);
  const rows = [...changed.flatMap(({ whole }) => whole), ...days.slice(0, maxDays)];
  return (
    <section aria-labelledby="since" class="block">
      <h2 id="since">{t`Since the last report`}</h2>
      {rows.length === 0 ? (
        <p class="muted">{t`Nothing has changed since the report as of ${saidAt}.`}</p>
      ) : (
        <>
          <p class="muted">{t`The report as of ${saidAt} had other figures:`}</p>
          <FiguresTable caption={t`What has changed since the last report`} column={t`Day`} rows={rows} />
        </>
      )}
      {days.length > maxDays && (
        <p class="muted">{t`… and ${days.length - maxDays} more days: comanda changes lists them all.`}</p>
      )}
    </section>
  );
}
