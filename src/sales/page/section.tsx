/** Shows one dimension, as pictures and as a table with the same figures; and weekdays by hours. */
import type { DateField, Dimension } from "../../contract/enums.js";
import { lowerFirst, Pictures } from "./pictures.js";
import { FiguresTable } from "./figures-table.js";
import { hoursWithoutPause, shownSection, type ShownGroup, type ShownSection } from "./groups.js";
import { weekdayName } from "../merge/calendar-words.js";
import type { Pivot } from "../pivot/pivot.js";
import type { Member } from "../merge/members.js";
import type { GroupedFigures } from "../plan/plans.js";
import { reportDifferences } from "../present/differences.js";
import { hourOf, sectionTitles } from "../present/labels.js";
import type { NumberFormat } from "../present/number-format.js";
import type { ReportFigures } from "../report/plan.js";
import type { Display } from "../results.js";
import { t, translated } from "../../shared/language.js";

/** A part of the page has the figures of all stores that count in one currency. */
export interface Part {
  readonly figures: ReportFigures;
  readonly display: Display;
  readonly format: NumberFormat;
  readonly dateField: DateField | undefined;
  /** The headings name the currency where the page has several. */
  readonly currencyName: string | undefined;
}

/** Tables longer than this are folded on a screen; on paper they are open. */
const longTable = 12;

interface SectionProps {
  readonly dimension: Dimension;
  readonly section: GroupedFigures;
  readonly part: Part;
  /** The section is folded on a screen; on paper it is open. */
  readonly isFolded: boolean;
}

export function Section({ dimension, section, part, isFolded }: SectionProps) {
  const { format, dateField, display } = part;
  const { locale } = display;
  const { id, title } = headingOf(dimension, part);
  const shown = shownSection(section, dimension, { dateField, locale });
  const heading = <h2 id={id}>{title}</h2>;
  const content = shown.groups.every(({ total_order_count }) => total_order_count === 0) ? (
    <p class="muted">{t`No orders in this period.`}</p>
  ) : (
    <>
      <Pictures
        shape={["hour", "day", "day_of_week"].includes(dimension) ? "columns" : "bars"}
        isWide={dimension === "day"}
        section={shown}
        {...{ id, title, format, locale }}
      />
      <Table column={translated(sectionTitles[dimension].column)} section={shown} {...{ title, format }} />
    </>
  );
  return (
    <section aria-labelledby={id} class={isFolded ? "block folded" : "block"}>
      {!isFolded && heading}
      <Differences of={dimension} part={part} />
      {isFolded ? (
        <details>
          <summary>{heading}</summary>
          {content}
        </details>
      ) : (
        content
      )}
    </section>
  );
}

/** Where the page has several currencies, each has a block of this name. */
export function blockId(name: string, currency: string | undefined): string {
  return currency === undefined ? name : `${name}-${currency.replaceAll(" ", "-")}`;
}

function headingOf(section: Dimension | "heatmap", { currencyName }: Part) {
  const title = translated(sectionTitles[section].title);
  return {
    id: blockId(section, currencyName),
    title: currencyName === undefined ? title : `${title}, ${currencyName}`,
  };
}

function Differences({ of, part }: { readonly of: Dimension | "heatmap"; readonly part: Part }) {
  const differences = reportDifferences(part.figures, part.display).filter(({ section }) => section === of);
  return differences.map(({ text }) => (
    <p class="problem" role="note">
      {text}
    </p>
  ));
}

/** Writes how many days there are, for example ` (5, before 4)`. */
function daysText({ days }: ShownGroup): string {
  if (!days) return "";
  const { current, previous } = days;
  return ` (${current === previous ? current : t`${current}, before ${previous}`})`;
}

interface TableProps {
  readonly title: string;
  readonly column: string;
  readonly section: ShownSection;
  readonly format: NumberFormat;
}

function Table({ title, column, section: { groups, perDay }, format }: TableProps) {
  const name = t`Orders and revenue ${lowerFirst(title)}`;
  const rows = groups.map((group) => ({
    name: `${group.name}${daysText(group)}`,
    metrics: group,
    ...{ previous: group.previous, change: group.change, format },
  }));
  const table = <FiguresTable caption={name} {...{ column, rows, perDay }} />;
  if (groups.length <= longTable) return table;
  return (
    <details>
      <summary>{t`${name}: table of ${groups.length} rows`}</summary>
      {table}
    </details>
  );
}

/** Shades each cell by its orders, which stand in it as well. Hours are the rows, so that the table fits a phone. */
export function Heatmap({ heatmap, part }: { readonly heatmap: Pivot; readonly part: Part }) {
  const { format, display } = part;
  const { id, title } = headingOf("heatmap", part);
  const orders = new Map(
    heatmap.cells.map(({ row, col, sum }) => [JSON.stringify([row.identity, col.identity]), sum.orders]),
  );
  const ordersAt = (day: Member, hour: Member) =>
    orders.get(JSON.stringify([day.identity, hour.identity])) ?? 0;
  const highest = Math.max(0, ...orders.values());
  const days = heatmap.rowMembers;
  return (
    <section aria-labelledby={id} class="block">
      <h2 id={id}>{title}</h2>
      <Differences of="heatmap" part={part} />
      {days.length === 0 ? (
        <p class="muted">{t`No orders in this period.`}</p>
      ) : (
        <table class="heat">
          <caption>{t`Orders: the stronger the shade, the more`}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Hour`}</th>
              {days.map((day) => (
                <th scope="col">
                  <abbr title={weekdayName(day, display.locale, "long")}>
                    {weekdayName(day, display.locale, "short")}
                  </abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hoursInOrder(heatmap.colMembers).map((hour) => (
              <tr>
                <th scope="row">
                  <bdi>{hour.label ?? String(hour.key)}</bdi>
                </th>
                {days.map((day) => (
                  <td class={`h${step(ordersAt(day, hour), highest)}`}>
                    {format.count(ordersAt(day, hour))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Orders hours as the axis has them. Hours without orders have no line, and a key that is no hour stands last. */
function hoursInOrder(members: readonly Member[]): readonly Member[] {
  const byHour = new Map(members.map((member) => [hourOf(member), member]));
  const numbers = [...byHour.keys()].flatMap((hour) => hour ?? []);
  const hours = hoursWithoutPause(numbers).flatMap((hour) => byHour.get(hour) ?? []);
  return [...hours, ...members.filter((member) => !hours.includes(member))];
}

/** Gives the shade of a cell, from 0 (nothing) to 4 (nearly as many as the most). */
function step(orders: number, highest: number): number {
  return orders === 0 ? 0 : Math.min(4, 1 + Math.floor((4 * orders) / (highest + 1)));
}
