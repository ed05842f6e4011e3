/** One dimension: revenue and orders as pictures, and the table with the same figures. */
import { raw } from "hono/html";

import type { Dimension } from "../../contract/summary.js";
import { FiguresTable } from "./figures-table.js";
import { drawPicture, type PictureColor, type PicturePoint } from "./picture.js";
import { pointGroups, type ShownGroup, shownGroups } from "./points.js";
import type { ReportPart, ReportSection } from "./report.js";

/** Heading of a section, and of the first column of its table. */
const sectionTitles: Readonly<Record<Dimension, { readonly title: string; readonly column: string }>> = {
  hour: { title: "By hour", column: "Hour" },
  day: { title: "By day", column: "Day" },
  day_of_week: { title: "By weekday", column: "Weekday" },
  week: { title: "By week", column: "Week" },
  month: { title: "By month", column: "Month" },
  order_type: { title: "By order type", column: "Order type" },
  order_timing: { title: "By timing", column: "Timing" },
  sales_channel: { title: "By channel", column: "Channel" },
  customer_origin: { title: "By origin", column: "Origin" },
  payment_method_id: { title: "By payment method", column: "Payment method" },
  driver_id: { title: "By driver", column: "Driver" },
  status: { title: "By status", column: "Status" },
};

/** Tables longer than this are folded on a screen; on paper they are open. */
const longTable = 12;

/** Each picture is drawn twice and the page shows what fits: a wide one made small can't be read. */
const widths = { full: [1040, 312], half: [496, 312] } as const;

interface SectionProps {
  readonly section: ReportSection;
  readonly part: ReportPart;
  /** Of the part, where there are several. */
  readonly currency: string | undefined;
}

export function Section({ section, part, currency }: SectionProps) {
  const { dimension } = section;
  const name = currency === undefined ? "" : `, ${currency}`;
  const id = `${dimension}${name.replaceAll(/[ ,]+/g, "-")}`;
  const title = `${sectionTitles[dimension].title}${name}`;
  const groups = shownGroups(section, part);
  return (
    <section aria-labelledby={id} class="block">
      <h2 id={id}>{title}</h2>
      {groups.every(({ total_order_count }) => total_order_count === 0) ? (
        <p class="muted">No orders in this period.</p>
      ) : (
        <>
          <div class={dimension === "day" ? "pictures full" : "pictures"}>
            <Picture kind="revenue" {...{ id, title, dimension, groups, part }} />
            <Picture kind="orders" {...{ id, title, dimension, groups, part }} />
          </div>
          <Table {...{ id, title, dimension, groups, part }} />
        </>
      )}
    </section>
  );
}

interface BlockProps {
  /** Of the section. */
  readonly id: string;
  readonly title: string;
  readonly dimension: ReportSection["dimension"];
  readonly groups: readonly ShownGroup[];
  readonly part: ReportPart;
}

const kinds = {
  revenue: { caption: "Revenue", value: (group: ShownGroup) => group.total_revenue, show: "amount" },
  orders: { caption: "Orders", value: (group: ShownGroup) => group.total_order_count, show: "count" },
} as const;

function Picture({ kind, ...block }: BlockProps & { readonly kind: PictureColor }) {
  const { dimension, groups } = block;
  const { format, locale } = block.part;
  const { caption, value, show } = kinds[kind];
  const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 3 });
  const shape = ["hour", "day", "day_of_week"].includes(dimension) ? "columns" : "bars";
  const drawn = shape === "bars" ? pointGroups(groups) : groups;
  const points = drawn.map((group): PicturePoint => ({
    name: group.name,
    label: group.short,
    value: value(group),
    text: format[show](value(group)),
  }));
  const title = `${caption} ${lowerFirst(block.title)}`;
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      {widths[dimension === "day" ? "full" : "half"].map((width, index) => {
        const size = index === 0 ? "wide" : "narrow";
        const id = `${block.id}-${kind}-${size}`;
        const axisText = (of: number) => compact.format(of);
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

/** What the eye takes from the picture; the table has the rest. */
function describe(points: readonly PicturePoint[]): string {
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  if (points.length === 1) return `${highest.name}: ${highest.text}. The table below has all figures.`;
  return `Highest: ${highest.name} with ${highest.text}. Lowest: ${lowest.name} with ${lowest.text}. The table below has all figures.`;
}

/** "By day, BRL" within a sentence. */
function lowerFirst(title: string): string {
  return title.slice(0, 1).toLowerCase() + title.slice(1);
}

function Table({ title, dimension, groups, part: { format } }: BlockProps) {
  const { column } = sectionTitles[dimension];
  const name = `Orders and revenue ${lowerFirst(title)}`;
  const rows = groups.map((group) => ({ name: group.name, metrics: group, format }));
  const table = <FiguresTable caption={name} column={column} rows={rows} />;
  if (groups.length <= longTable) return table;
  return (
    <details>
      <summary>{`${name}: table of ${groups.length} rows`}</summary>
      {table}
    </details>
  );
}
