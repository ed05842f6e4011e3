/** Shows weekdays by hours in a table whose cells are shaded by their orders, which stand in them as well. */
import type { Member } from "../pivot/table.js";
import { weekdayName } from "../merge/weekday-names.js";
import type { Pivot } from "../pivot/pivot.js";
import { pivotDifferenceTexts } from "../present/differences.js";
import { hourOf } from "../present/labels.js";
import { hoursWithoutPause } from "./points.js";
import type { ReportPart } from "./report.js";
import { blockId, Differences } from "./section.js";
import { t } from "../../shared/language.js";

interface HeatmapProps {
  readonly heatmap: Pivot;
  readonly part: ReportPart;
  /** The part's currency is named where the page has several. */
  readonly currency: string | undefined;
}

/** Hours stand in the rows, so that the table fits a phone. */
export function Heatmap({ heatmap, part, currency }: HeatmapProps) {
  const { format, locale } = part;
  const title = currency === undefined ? t`Weekdays by hours` : t`Weekdays by hours, ${currency}`;
  const id = blockId("heatmap", currency);
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
      <Differences section="heatmap" part={part} />
      {pivotDifferenceTexts(heatmap, { locale, currency: part.currency }).map((text) => (
        <p class="problem" role="note">
          {text}
        </p>
      ))}
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
                  <abbr title={weekdayName(day, locale, "long")}>{weekdayName(day, locale, "short")}</abbr>
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
