/** Each store is a panel of lines; panels stand side by side where the terminal has room. */
import stringWidth from "string-width";

import { currentLanguage, t, translated } from "../../shared/language.js";
import { compareMetrics } from "../../sales/compare/metrics.js";
import { zonedNow } from "../../sales/period/calendar.js";
import { shownDate } from "../../shared/local-time.js";
import { toneOfChange } from "../../sales/present/columns.js";
import { distinctLabels } from "../../sales/present/labels.js";
import { createNumberFormat, withoutDirection } from "../../sales/present/number-format.js";
import { cutToWidth } from "../../sales/present/text.js";
import { paint, printable, type Style, type Tone } from "../../terminal/index.js";
import { linesOfWords } from "../../terminal/wrap.js";
import { duration } from "../../sales/ask/progress.js";

import type { Board, Look, SameWeekday } from "./board.js";

export interface Drawing {
  /** Columns of the terminal. */
  readonly columns: number;
  readonly style: Style;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface Cell {
  readonly text: string;
  readonly look?: Tone | "strong" | undefined;
}

/** The label stands on the left, the values on the right. */
type Row = readonly [about: Cell, ...values: Cell[]];

interface Panel {
  readonly title: Row;
  /** The rows of a part share their columns; sentences are wrapped. */
  readonly parts: readonly ({ readonly rows: readonly Row[] } | { readonly sentence: Cell })[];
}

/** Blanks between two columns, and between two panels. */
const gaps = { cells: 2, panels: 4 } as const;
/** A panel with few figures still has room for a sentence. */
export const minPanelWidth = 36;

/** @param mostBeside panels stand beside one another, as far as they fit */
export function drawBoards(
  boards: readonly Board[],
  { columns, style, now }: Drawing,
  mostBeside = Number.POSITIVE_INFINITY,
): readonly string[] {
  const panels = boards.map((board) => panelOf(board, now));
  const widths = panels.flatMap(({ title, parts }) =>
    [{ rows: [title] }, ...parts].map((part) => ("rows" in part ? sum(columnWidths(part.rows)) : 0)),
  );
  // All panels are as wide as the widest, and no wider than the terminal.
  const width = Math.min(Math.max(minPanelWidth, ...widths), columns);
  const fitting = Math.max(1, Math.floor((columns + gaps.panels) / (width + gaps.panels)));
  const perBand = Math.min(fitting, mostBeside);
  const panelLines = panels.map((panel) => linesOf(panel, width, style));
  return panelLines.flatMap((_, start) => {
    if (start % perBand > 0) return [];
    const band = panelLines.slice(start, start + perBand);
    const height = Math.max(...band.map((lines) => lines.length));
    const lines = Array.from({ length: height }, (_, index) =>
      band.map((panel) => panel[index] ?? " ".repeat(width)).join(" ".repeat(gaps.panels)),
    );
    return [...(start === 0 ? [] : [""]), ...lines.map((line) => line.trimEnd())];
  });
}

/** A word that is wider than the line is cut. */
export function wrapSentence(text: string, width: number): readonly string[] {
  const lines = linesOfWords(text.split(" "), (line) => stringWidth(line) <= width);
  return lines.map((line) => cutToWidth(line, width, "…"));
}

function panelOf(board: Board, now: number): Panel {
  const { store, look, failure, isLimited } = board;
  const sentences: readonly Cell[] = [
    ageOf(board, now),
    ...(isLimited ? [{ text: noRoomText(), look: "doubtful" as const }] : []),
    ...(failure
      ? [{ text: printable([failure.message, failure.hint].filter(Boolean).join(" ")), look: "bad" as const }]
      : []),
  ];
  const name: Cell = { text: printable(store), look: "strong" };
  const notes = sentences.map((sentence) => ({ sentence }));
  if (!look) return { title: [name], parts: notes };
  return {
    title: [name, { text: dayOf(look.period.from.date) }],
    parts: [
      { rows: revenueRows(board, look) },
      ...(look.statuses.length > 0 ? [{ rows: statusRows(board, look) }] : []),
      ...notes,
    ],
  };
}

export function noRoomText(): string {
  return t`The rate limit leaves no room for a look yet.`;
}

function ageOf({ look, zone }: Board, now: number): Cell {
  if (!look) return { text: t`No figures yet.`, look: "quiet" };
  const time = timeOf(look.askedAt, zone, "second");
  const age = now - look.askedAt;
  return { text: age < 1_000 ? t`As of ${time}.` : t`As of ${time}, ${duration(age)} ago.`, look: "quiet" };
}

function revenueRows({ display, sameWeekday, zone }: Board, { total, canceled }: Look): readonly Row[] {
  const format = createNumberFormat(display);
  return [
    [{ text: t`Revenue` }, { text: format.amount(total.total_revenue), look: "strong" }],
    [{ text: t`Orders` }, { text: format.count(total.total_order_count) }],
    [
      { text: t`Of which canceled` },
      { text: `${format.count(canceled.total_order_count)} (${format.amount(canceled.total_revenue)})` },
    ],
    ...(sameWeekday ? comparison(sameWeekday, zone, format) : []),
  ];
}

function comparison(
  { current, previous }: SameWeekday,
  zone: string,
  format: ReturnType<typeof createNumberFormat>,
): readonly Row[] {
  const { percent } = compareMetrics(current.figures, previous.figures).total_revenue;
  const day = dayOf(previous.period.from.date);
  const time = timeOf(current.age.askedAt, zone, "minute");
  return [
    [{ text: `${day}, ${time}` }, { text: format.amount(previous.figures.total_revenue) }],
    [{ text: t`Today, ${time}` }, { text: format.amount(current.figures.total_revenue) }],
    [{ text: t`Change` }, { text: format.percentChange(percent), look: toneOfChange(percent) }],
  ];
}

function statusRows({ display }: Board, { statuses }: Look): readonly Row[] {
  const format = createNumberFormat(display);
  const labels = distinctLabels(statuses);
  const headingOf = (text: string): Cell => ({ text: translated(text).toUpperCase(), look: "quiet" });
  return [
    [headingOf("Status"), headingOf("Orders"), headingOf("Moved")],
    ...statuses.map(({ total_order_count, moved }, index): Row => [
      { text: printable(labels[index] ?? "") },
      { text: format.count(total_order_count) },
      moved ? { text: format.countChange(moved), look: "strong" } : { text: "" },
    ]),
  ];
}

/** `Fri 2026-11-20`. */
function dayOf(date: string): string {
  const weekday = new Intl.DateTimeFormat(currentLanguage(), { weekday: "short", timeZone: "UTC" });
  return `${withoutDirection(weekday.format(Date.parse(date)))} ${shownDate(date)}`;
}

export function timeOf(ms: number, zone: string, smallestUnit: "minute" | "second"): string {
  return zonedNow(ms, zone).toPlainTime().toString({ smallestUnit });
}

/** A column is as wide as its widest cell and the gap before it. */
function columnWidths(rows: readonly Row[]): readonly number[] {
  const count = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: count }, (_, index) => {
    const widest = Math.max(...rows.map((row) => stringWidth(row[index]?.text ?? "")));
    return index === 0 ? widest : widest + gaps.cells;
  });
}

/** Gives the lines of a panel, each as wide as the panel. */
function linesOf({ title, parts }: Panel, width: number, style: Style): readonly string[] {
  return [
    ...rowLines([title], width, style),
    ...parts.flatMap((part, index) => {
      const before = parts[index - 1];
      const lines =
        "rows" in part ? rowLines(part.rows, width, style) : sentenceLines(part.sentence, width, style);
      const followsSentence = before !== undefined && "sentence" in before && "sentence" in part;
      return followsSentence || index === 0 ? lines : [" ".repeat(width), ...lines];
    }),
  ];
}

function rowLines(rows: readonly Row[], width: number, style: Style): readonly string[] {
  const [, ...values] = columnWidths(rows);
  const first = Math.max(1, width - sum(values));
  return rows.map((row) =>
    [first, ...values]
      .map((columnWidth, index) => {
        const cell = row[index] ?? { text: "" };
        const text = index === 0 ? cutToWidth(cell.text, columnWidth, "…") : cell.text;
        const blanks = " ".repeat(Math.max(0, columnWidth - stringWidth(text)));
        const painted = painter(style, cell)(text);
        return index === 0 ? painted + blanks : blanks + painted;
      })
      .join(""),
  );
}

function sentenceLines(cell: Cell, width: number, style: Style): readonly string[] {
  return wrapSentence(cell.text, width).map(
    (line) => painter(style, cell)(line) + " ".repeat(width - stringWidth(line)),
  );
}

function painter(style: Style, { look }: Cell): (text: string) => string {
  if (look === undefined) return (text) => text;
  return look === "strong" ? style.bold : paint(style, look);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
