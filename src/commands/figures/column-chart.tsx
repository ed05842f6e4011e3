/** Draws hours, days or weekdays as columns. The stylesheet has the colors, and the labels are text of the page, not of the image. */
import type { Dimension } from "../../api/values.js";
import { shownDays, t } from "../../languages/language.js";
import { figures, isPerDay, isDate, metricsOf, type Row } from "../../sales/figures.js";
import { numberFormat } from "../../views/amounts.js";
import type { Line } from "../../views/figures.js";

interface ColumnsProps {
  readonly by: Dimension;
  readonly kind: "orders" | "revenue";
  readonly caption: string;
  readonly lines: readonly Line[];
}

/** The size of a column's cell, which the browser scales. */
const [step, height] = [10, 100];

export function Columns({ by, kind, caption, lines }: ColumnsProps) {
  const { name, show } = figures[kind];
  const { current, previous } = lines[0]?.store ?? {};
  const valueOf = (row: Row | undefined) =>
    row && metricsOf(row)[name] / (isPerDay(by) ? (row.days ?? 1) : 1);
  const points = lines.map((line) => ({
    line,
    value: valueOf(line.current),
    before: valueOf(line.previous),
  }));
  const highest = Math.max(0, ...points.flatMap(({ value = 0, before = 0 }) => [value, before]));
  const bar = (place: number, value: number | undefined, width: number, className: string) => {
    if (!value || highest === 0) return null;
    const size = (value / highest) * height;
    const x = place * step + (step - width) / 2;
    return (
      <rect class={className} x={x} y={(height - size).toFixed(2)} width={width} height={size.toFixed(2)} />
    );
  };
  const shown = ({ line, value = 0 }: (typeof points)[number]) =>
    numberFormat(line.store)[show](show === "count" ? Math.round(value * 10) / 10 : value);
  const ascending = points
    .filter(({ value }) => value !== undefined)
    .toSorted(({ value: left = 0 }, { value: right = 0 }) => left - right);
  const [least, most] = [ascending.at(0), ascending.at(-1)];
  if (!least || !most) return null;
  const text = t`Highest: ${most.line.name} with ${shown(most)}. Lowest: ${least.line.name} with ${shown(least)}. All figures are in the table below.`;
  return (
    <figure>
      <figcaption>
        {caption}
        {current && previous && (
          <span class="legend">
            <span class={`key ${kind}`} aria-hidden="true" />
            {shownDays(current.period)}
            <span class="key before" aria-hidden="true" />
            {shownDays(previous.period)}
          </span>
        )}
      </figcaption>
      <p class="top" aria-hidden="true">
        {shown({ ...most, value: highest })}
      </p>
      <svg
        class="columns"
        role="img"
        aria-label={`${caption}. ${text}`}
        viewBox={`0 0 ${points.length * step} ${height}`}
        preserveAspectRatio="none"
      >
        {points.map(({ before }, place) => bar(place, before, 9, "before"))}
        {points.map(({ value }, place) => bar(place, value, previous ? 5 : 8, kind))}
      </svg>
      <Axis labels={lines.map((line) => shortName(line, by))} />
    </figure>
  );
}

/** The number of columns that can each have a label on a phone. */
const mostLabels = 12;

function Axis({ labels }: { readonly labels: readonly string[] }) {
  const every = labels.length <= mostLabels ? 1 : Math.ceil(labels.length / 6);
  const shown = labels.filter((_, place) => place % every === 0);
  return (
    <div class={every === 1 ? "axis each" : "axis"} aria-hidden="true">
      {shown.map((label, index) => {
        const columns = Math.min(every, labels.length - index * every);
        return <span style={`flex-grow:${columns}`}>{columns < every * 0.6 ? "" : label}</span>;
      })}
    </div>
  );
}

function shortName({ current, previous, name, store: { locale } }: Line, by: Dimension): string {
  const key = (current ?? previous)?.key ?? null;
  if (by === "hour") return name.replace(/^0?(\d{1,2}):00$/, "$1");
  if (by === "day_of_week") return Array.from(name).slice(0, 3).join("");
  if (!isDate(key) || current === undefined) return "";
  return locale.startsWith("en") ? key.slice(5) : `${key.slice(8)}/${key.slice(5, 7)}`;
}
