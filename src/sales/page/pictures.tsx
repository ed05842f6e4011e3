/** Draws revenue and orders of the same groups, in a picture each. */
import { raw } from "hono/html";

import { addMetrics, type Metrics } from "../merge/sums.js";
import type { NumberFormat } from "../present/number-format.js";
import type { ShownGroup, ShownSection } from "./groups.js";
import { drawPicture, type PictureColor, type PictureOptions, type PicturePoint } from "./picture.js";
import { t, translated } from "../../shared/language.js";

/** Each picture is drawn twice and the page shows the one that fits: a wide one made small can't be read. */
const widths = { full: [1040, 312], half: [496, 312] } as const;

interface PicturesProps {
  readonly id: string;
  readonly title: string;
  readonly shape: PictureOptions["shape"];
  readonly isWide: boolean;
  readonly section: ShownSection;
  readonly format: NumberFormat;
  readonly locale: string;
}

const kinds = {
  revenue: {
    caption: "Revenue",
    daily: "Revenue a day",
    value: (group: Metrics) => group.total_revenue,
    show: "amount",
  },
  orders: {
    caption: "Orders",
    daily: "Orders a day",
    value: (group: Metrics) => group.total_order_count,
    show: "count",
  },
} as const;

export function Pictures(props: PicturesProps) {
  return (
    <div class={props.isWide ? "pictures full" : "pictures"}>
      <Picture kind="revenue" {...props} />
      <Picture kind="orders" {...props} />
    </div>
  );
}

function Picture({
  kind,
  isWide,
  shape,
  section: { groups, perDay, byWeekday },
  format,
  locale,
  ...block
}: PicturesProps & { readonly kind: PictureColor }) {
  const { caption: english, daily, value, show } = kinds[kind];
  const caption = translated(perDay ? daily : english);
  const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 });
  const points = (shape === "bars" ? mostRevenue(groups) : groups).map((group): PicturePoint => ({
    name: group.name,
    label: group.short,
    value: value(group),
    before: group.previous && value(group.previous),
    text: format[show](value(group)),
  }));
  const title = `${caption} ${lowerFirst(block.title)}`;
  return (
    <figure>
      <figcaption>
        {caption}
        {points.some(({ before }) => before !== undefined) && <Legend {...{ kind, byWeekday }} />}
      </figcaption>
      {widths[isWide ? "full" : "half"].map((width, index) => {
        const size = index === 0 ? "wide" : "narrow";
        const id = `${block.id}-${kind}-${size}`;
        const axisText = (value: number) => compact.format(value);
        const picture = drawPicture(points, { width, shape, axisText, color: kind });
        return (
          <svg
            class={`picture ${size}`}
            role="img"
            aria-labelledby={`${id}-title ${id}-desc`}
            viewBox={`0 0 ${picture.width} ${picture.height}`}
            width={picture.width}
            height={picture.height}
          >
            <title id={`${id}-title`}>{title}</title>
            <desc id={`${id}-desc`}>{describe(points)}</desc>
            {raw(picture.content)}
          </svg>
        );
      })}
    </figure>
  );
}

/** The pale bars are wider, so that readers needn't see their colour. */
function Legend({ kind, byWeekday }: { readonly kind: PictureColor; readonly byWeekday: boolean }) {
  return (
    <span class="legend">
      <span class={`key ${kind}`} aria-hidden="true" />
      {t`this period`}
      <span class="key before" aria-hidden="true" />
      {byWeekday
        ? t`the same weekdays of the period before (the wide bars)`
        : t`the period before (the wide bars)`}
    </span>
  );
}

/** Tells what the eye takes from the picture; the table has the rest. */
function describe(points: readonly PicturePoint[]): string {
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  if (points.length === 1) return t`${highest.name}: ${highest.text}. The table below has all figures.`;
  return t`Highest: ${highest.name} with ${highest.text}. Lowest: ${lowest.name} with ${lowest.text}. The table below has all figures.`;
}

/** More bars than this say less than their sum. */
const maxBars = 12;

/** Lists the groups with the most revenue, and sums up the others as one. */
function mostRevenue(groups: readonly ShownGroup[]): readonly ShownGroup[] {
  const ranked = groups.toSorted((a, b) => b.total_revenue - a.total_revenue);
  if (ranked.length <= maxBars) return ranked;
  const others = ranked.slice(maxBars - 1);
  const name = t`${others.length} others`;
  const previous = others.flatMap((group) => group.previous ?? []);
  const sum = {
    ...addMetrics(others),
    ...(previous.length === others.length && { previous: addMetrics(previous) }),
  };
  return [...ranked.slice(0, maxBars - 1), { ...sum, name, short: name }];
}

/** Writes a title within a sentence, for example "by day, BRL". */
export function lowerFirst(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1);
}
