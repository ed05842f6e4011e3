/** Draws bars as text, one line for each. */
import stringWidth from "string-width";

import { printable } from "../../cli/text.js";
import type { FiguresResult } from "../../core/figures.js";
import { metricsOf } from "../../sales/figures.js";
import { numberFormat } from "../../views/amounts.js";
import { linesOf, storesWithFigures } from "../../views/figures.js";

interface Bar {
  readonly label: string;
  readonly value: number;
  /** The text after the bar, such as the amount. */
  readonly text: string;
}

/** Draws the total as bars, or each store without a total. */
export function chartOf(result: FiguresResult, width: number): string {
  const shown = result.total ? [result.total] : storesWithFigures(result);
  const charts = shown.map((store) => {
    const { amount } = numberFormat(store);
    const bars = linesOf(store, result.by, false).flatMap(({ current, name }) => {
      if (!current) return [];
      return { label: name, value: current.revenue, text: amount(metricsOf(current).total_revenue) };
    });
    const heading = shown.length > 1 ? `${printable(store.store ?? "")}\n` : "";
    return `${heading}${barChart(bars, width).join("")}`;
  });
  return charts.join("\n");
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Every value above 0 gets a visible bar. Labels are cut at two fifths of the width, and numbers never. */
function barChart(bars: readonly Bar[], width: number): readonly string[] {
  const texts = bars.map(({ text }) => printable(text));
  const textWidth = widest(texts);
  const labels = bars.map(({ label }) => cutToWidth(printable(label), Math.max(1, Math.floor(width * 0.4))));
  const labelWidth = widest(labels);
  const barWidth = Math.max(1, width - textWidth - labelWidth - 2);
  const highest = bars.reduce((most, { value }) => Math.max(most, value), 0);
  return bars.map(({ value }, index) => {
    const parts = value > 0 ? Math.max(1, Math.round((value / highest) * barWidth * 8)) : 0;
    const bar = "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
    const [label = "", text = ""] = [labels[index], texts[index]];
    return `${label}${blanks(label, labelWidth)} ${bar}${blanks(bar, barWidth)} ${blanks(text, textWidth)}${text}\n`;
  });
}

/** Cuts text between visible characters. */
function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(`${cut}${segment}`) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

function blanks(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - stringWidth(text)));
}
