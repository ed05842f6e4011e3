/** Shows one dimension: revenue and orders as pictures, and the table with the same figures. */
import type { Dimension } from "../../contract/enums.js";
import { FiguresTable } from "./figures-table.js";
import { lowerFirst, Pictures } from "./pictures.js";
import { shownGroups } from "./points.js";
import { differenceText } from "../present/differences.js";
import { sectionTitles } from "../present/section-titles.js";
import type { ReportPart, ReportSection, ShownGroup } from "./report.js";
import { t, translated } from "../../shared/language.js";

/** Tables longer than this are folded on a screen; on paper they are open. */
const longTable = 12;

interface SectionProps {
  readonly section: ReportSection;
  readonly part: ReportPart;
  /** The part's currency is named where the page has several. */
  readonly currency: string | undefined;
  /** The section is folded on a screen; on paper it is open. */
  readonly isFolded: boolean;
}

export function Section({ section, part, currency, isFolded }: SectionProps) {
  const { dimension, perDay = false } = section;
  const name = currency === undefined ? "" : `, ${currency}`;
  const id = blockId(dimension, currency);
  const title = `${translated(sectionTitles[dimension].title)}${name}`;
  const groups = shownGroups(section, part);
  const heading = <h2 id={id}>{title}</h2>;
  const content = groups.every(({ total_order_count }) => total_order_count === 0) ? (
    <p class="muted">{t`No orders in this period.`}</p>
  ) : (
    <>
      <Pictures
        shape={["hour", "day", "day_of_week"].includes(dimension) ? "columns" : "bars"}
        isWide={dimension === "day"}
        {...{ id, title, groups, perDay, part }}
        byWeekday={section.byWeekday === true}
      />
      <Table {...{ id, title, dimension, groups, perDay, part }} />
    </>
  );
  return (
    <section aria-labelledby={id} class={isFolded ? "block folded" : "block"}>
      {!isFolded && heading}
      <Differences section={dimension} part={part} />
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

export function Differences({
  section,
  part: { differences, format },
}: {
  readonly section: Dimension | "heatmap";
  readonly part: ReportPart;
}) {
  return differences
    .filter((difference) => difference.section === section)
    .map((difference) => (
      <p class="problem" role="note">
        {differenceText(difference, format)}
      </p>
    ));
}

/** Where the page has several currencies, each has a block of this name. */
export function blockId(name: string, currency: string | undefined): string {
  return currency === undefined ? name : `${name}-${currency.replaceAll(" ", "-")}`;
}

export function Pending({
  names,
  currency,
}: {
  readonly names: ReportPart["pending"];
  readonly currency: string | undefined;
}) {
  const id = blockId("pending", currency);
  return (
    <section aria-labelledby={id} class="block">
      <h2 id={id}>{t`Still to come`}</h2>
      <ul>
        {names.map((name) => (
          <li>{translated(sectionTitles[name].title)}</li>
        ))}
      </ul>
    </section>
  );
}

/** Writes how many days there are, for example ` (5, before 4)`. */
function daysText({ days }: ShownGroup): string {
  if (!days) return "";
  const { current, previous } = days;
  return ` (${current === previous ? current : t`${current}, before ${previous}`})`;
}

interface BlockProps {
  readonly id: string;
  readonly title: string;
  readonly dimension: ReportSection["dimension"];
  readonly groups: readonly ShownGroup[];
  readonly perDay: boolean;
  readonly part: ReportPart;
}

function Table({ title, dimension, groups, perDay, part: { format } }: BlockProps) {
  const { column } = sectionTitles[dimension];
  const name = t`Orders and revenue ${lowerFirst(title)}`;
  const rows = groups.map((group) => ({
    name: `${group.name}${daysText(group)}`,
    metrics: group,
    ...{ previous: group.previous, change: group.change, format },
  }));
  const table = <FiguresTable caption={name} column={translated(column)} {...{ rows, perDay }} />;
  if (groups.length <= longTable) return table;
  return (
    <details>
      <summary>{t`${name}: table of ${groups.length} rows`}</summary>
      {table}
    </details>
  );
}
