/** A new report tells what has changed since the last one, and carries its figures as data. */
import type { DateField } from "../../contract/enums.js";
import { t } from "../../shared/language.js";
import { localLabels } from "../present/labels.js";
import { createNumberFormat } from "../present/number-format.js";
import { reportShape } from "../present/report-data.js";
import { daysOf } from "../report/data.js";
import type { ReportFigures } from "../report/plan.js";
import type { ChangedFigures } from "../report/said.js";
import { answeringStores, type SalesResult, type StoreFigures } from "../results.js";
import { FiguresTable, type FiguresTableRow } from "./figures-table.js";

export interface SinceLast {
  /** The oldest of the last report's figures was asked for at this time, in words. */
  readonly saidAt: string;
  /** The rows hold the whole of each store that has changed, and its changed days. */
  readonly rows: readonly FiguresTableRow[];
  readonly more: number;
}

/** A page holds no more days than this; `comanda changes` lists them all. */
const maxDays = 31;

/** @returns `undefined` where there is no last report of the same question */
export function sinceLast(
  stores: readonly StoreFigures<ChangedFigures>[],
  moment: (epochMs: number) => string,
): SinceLast | undefined {
  const [first] = stores;
  if (!first) return undefined;
  const changed = stores.filter(({ figures }) => (figures.sections.get("day") ?? []).length > 0);
  const totals: FiguresTableRow[] = [];
  const days: FiguresTableRow[] = [];
  for (const { store, figures, display } of changed) {
    const format = createNumberFormat(display);
    const nameOf = (text: string) => (stores.length > 1 ? `${store}: ${text}` : text);
    const row = (name: string, { now, before }: Pick<ChangedFigures, "now" | "before">): FiguresTableRow => ({
      ...{ name: nameOf(name), metrics: now, previous: before, format },
    });
    const list = figures.sections.get("day") ?? [];
    const labels = localLabels(list, { dimension: "day", locale: display.locale });
    totals.push(row(t`The whole period`, figures));
    days.push(...list.map((change, index) => row(labels[index] ?? "", change)));
  }
  return {
    saidAt: moment(Math.min(...stores.map(({ figures }) => figures.saidAt))),
    rows: [...totals, ...days.slice(0, maxDays)],
    more: Math.max(days.length - maxDays, 0),
  };
}

export function Since({ since: { saidAt, rows, more } }: { readonly since: SinceLast }) {
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
      {more > 0 && <p class="muted">{t`… and ${more} more days: comanda changes lists them all.`}</p>}
    </section>
  );
}

/** Makes the figures as JSON, for `comanda changes` and for other programs. */
export function figuresOf(
  result: SalesResult<ReportFigures>,
  { dateField, filters }: { readonly dateField: DateField | undefined; readonly filters: readonly string[] },
): object {
  return {
    version: 1,
    ...{ date_field: dateField ?? "created_at", filters },
    stores: answeringStores(result).map(({ store, figures, display: { currency } }) => ({
      store,
      ...daysOf(figures.summary.current.period),
      ...reportShape(figures, { dateField, currency }),
    })),
  };
}
