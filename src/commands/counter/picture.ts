/** Draws the screen as text: the figures of the day, and at the counter the last changes and the typed line. */
import stringWidth from "string-width";

import { t, translated } from "../../shared/language.js";
import { cutToWidth, flatten } from "../../sales/present/text.js";
import { paint, printable, type Tone } from "../../terminal/index.js";
import { reasonText, toneOfOutcome } from "../../toolkit/outcomes.js";

import type { Board } from "./board.js";
import { changeText, type Entry } from "./changes.js";
import type { Message } from "./counter.js";
import { drawBoards, minPanelWidth, timeOf, wrapSentence, type Drawing } from "./panels.js";

export interface CounterState {
  readonly boards: readonly Board[];
  readonly entries: readonly Entry[];
  readonly line: string;
  /** The index in the line at which the next letter is inserted. */
  readonly cursor: number;
  readonly message: Message | undefined;
}

export interface PictureSize extends Drawing {
  readonly rows: number;
  /** Milliseconds of the steady clock, by which changes wait. */
  readonly steady: number;
}

export interface Picture {
  readonly lines: readonly string[];
  /** Both count from 1. */
  readonly cursor?: { readonly row: number; readonly column: number };
}

/**
 * Draws the figures alone.
 *
 * @param nextAt the time of the next look, in milliseconds since the epoch; absent after the last
 */
export function watchPicture(
  boards: readonly Board[],
  nextAt: number | undefined,
  size: PictureSize,
): Picture {
  const { columns, rows, style, now } = size;
  const footer = [nextText(nextAt, now), countsNote()]
    .flatMap((text) => wrapSentence(text, columns))
    .map((line) => style.dim(line));
  const lines = ["", ...footer].slice(-rows + 1);
  return { lines: [...shortened(drawBoards(boards, size), rows - lines.length), ...lines] };
}

function nextText(nextAt: number | undefined, now: number): string {
  if (nextAt === undefined) return t`q ends.`;
  const seconds = Math.ceil((nextAt - now) / 1_000);
  return seconds > 0 ? t`Next look in ${seconds} s. q ends.` : t`Looking … q ends.`;
}

export function countsNote(): string {
  return t`Counts, not orders: the API shows no list of orders.`;
}

/** The last line of the figures tells their age, so it is kept where there is no room for all. */
function shortened(figures: readonly string[], room: number): readonly string[] {
  if (figures.length <= room) return figures;
  return [...figures.slice(0, Math.max(0, room - 2)), "…", ...figures.slice(-1)].slice(0, room);
}

const mark = "> ";
const gap = 4;
/** A change needs so many columns beside the figures. */
const leastChangeWidth = 36;
/** A lower screen has no room for the meanings of the keys. */
const leastRowsForKeys = 16;
const mostMessageLines = 4;

export function counterPicture(state: CounterState, size: PictureSize): Picture {
  const { columns, rows, style } = size;
  const message = messageLines(state.message, size);
  const keys =
    rows < leastRowsForKeys ? [] : wrapSentence(keysText(), columns).map((line) => style.dim(line));
  const room = Math.max(0, rows - message.length - 1 - keys.length);
  // A blank line stands below the figures.
  const body = bodyOf(state, size, Math.max(0, room - 1)).slice(0, room);
  const blanks = Array.from({ length: room - body.length }, () => "");
  const { text, column } = typedLine(state, columns);
  return {
    lines: [...body, ...blanks, ...message, text, ...keys],
    cursor: { row: room + message.length + 1, column },
  };
}

function messageLines(message: Message | undefined, size: PictureSize): readonly string[] {
  if (!message) return [];
  const most = Math.min(mostMessageLines, size.rows - 2);
  return wrapSentence(message.text, size.columns)
    .slice(0, Math.max(0, most))
    .map(painter(size, message.tone));
}

export function keysText(): string {
  return t`d dispatches, e delivers, f finalizes, c cancels, each with an id: d 4711. u takes back, q ends.`;
}

/** A line that is too long shows its end. */
function typedLine({ line, cursor }: CounterState, columns: number): { text: string; column: number } {
  const room = Math.max(1, columns - mark.length - 1);
  const start = Math.max(0, cursor - room);
  const visible = cutToWidth(flatten(line.slice(start)), room, "");
  return { text: mark + visible, column: mark.length + stringWidth(flatten(line.slice(start, cursor))) + 1 };
}

/** The changes stand beside the figures where there is room, else below; the newest are at the bottom. */
function bodyOf({ boards, entries }: CounterState, size: PictureSize, room: number): readonly string[] {
  const figures = drawBoards(boards, size);
  const width = Math.max(minPanelWidth, ...figures.map((line) => stringWidth(line)));
  const zone = boards[0]?.zone ?? "UTC";
  if (size.columns - width - gap >= leastChangeWidth) {
    const changesWidth = Math.min(size.columns - width - gap, 2 * leastChangeWidth);
    const changes = changeLines(entries, size, changesWidth, zone, room);
    const height = Math.min(room, Math.max(figures.length, changes.length));
    return Array.from({ length: height }, (_, index) => {
      const left = figures[index] ?? "";
      const blanks = " ".repeat(width - stringWidth(left) + gap);
      return changes[index] === undefined ? left : left + blanks + changes[index];
    });
  }
  const below = (most: number) => changeLines(entries, size, size.columns, zone, most);
  const linesBelow = below(room).length === 0 ? 0 : below(room).length + 1;
  const figuresRoom = Math.max(room - linesBelow, Math.min(figures.length, Math.ceil(room / 2)));
  const shownFigures = shortened(figures, figuresRoom);
  const changes = below(room - shownFigures.length - 1);
  return changes.length === 0 ? shownFigures : [...shownFigures, "", ...changes];
}

/** Shows as many of the newest changes as fit, each of them whole. */
function changeLines(
  entries: readonly Entry[],
  size: PictureSize,
  width: number,
  zone: string,
  room: number,
): readonly string[] {
  let lines: readonly string[] = [];
  for (const entry of entries.toReversed()) {
    const more = entryLines(entry, size, width, zone);
    if (lines.length + more.length > room) break;
    lines = [...more, ...lines];
  }
  return lines;
}

function entryLines(entry: Entry, size: PictureSize, width: number, zone: string): readonly string[] {
  const { stage } = entry;
  const time = stage.kind === "settled" ? timeOf(stage.at, zone, "minute") : " ".repeat(5);
  const { text, tone } = stageText(entry, size.steady);
  const description = `${time} ${changeText(entry.change)}`;
  const room = Math.max(1, width - stringWidth(text) - 1);
  const left = cutToWidth(description, room, "…");
  const line = left + " ".repeat(width - stringWidth(left) - stringWidth(text)) + painter(size, tone)(text);
  const reason = stage.kind === "settled" ? printable(reasonText(stage.outcome)) : "";
  if (reason === "") return [line];
  return [line, ...wrapSentence(reason, width - 6).map((part) => `      ${size.style.dim(part)}`)];
}

function stageText({ stage }: Entry, steady: number): { text: string; tone: Tone } {
  switch (stage.kind) {
    case "waiting": {
      const seconds = Math.max(0, Math.ceil((stage.until - steady) / 1_000));
      return { text: t`in ${seconds} s`, tone: "doubtful" };
    }
    case "sending":
      return { text: t`on its way`, tone: "quiet" };
    case "settled":
      return { text: translated(stage.outcome.outcome), tone: toneOfOutcome(stage.outcome) };
  }
}

/** The function takes one argument, so it fits `map`. */
function painter({ style }: Drawing, tone: Tone | undefined): (text: string) => string {
  return (text) => (tone === undefined ? text : paint(style, tone)(text));
}
