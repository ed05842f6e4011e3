/** Draws bars as text, one line for each. */
import stringWidth from "string-width";

import { printable } from "../../cli/text.js";
import type { FiguresResult } from "../../core/figures.js";
import { t } from "../../languages/language.js";
import { metricsOf, noOrders } from "../../sales/figures.js";
import { numberFormat } from "../../views/amounts.js";
import { linesOf, storesWithFigures } from "../../views/figures.js";

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/**
 * Draws the total as bars, or each store without a total. Every value above 0 gets a visible bar. Labels are cut at two fifths of the
 * width, and numbers never.
 *
 * @param isNarrow whether the bars have orders and revenue, because no table does
 */
export function chartOf(result: FiguresResult, isNarrow: boolean, width: number): string {
  const shown = result.total ? [result.total] : storesWithFigures(result);
  const charts = shown.map((store) => {
    const { sold, amount } = numberFormat(store);
    const bars = linesOf(store, result.by).flatMap(({ current, name }) => {
      if (!current) return [];
      const label = cutToWidth(printable(name), Math.max(1, Math.floor(width * 0.4)));
      const { orders, revenue } = current;
      const text = isNarrow ? sold(orders, revenue) : amount(metricsOf(current).total_revenue);
      return { label, value: revenue, text: printable(text) };
    });
    const textWidth = widest(bars.map(({ text }) => text));
    const labelWidth = widest(bars.map(({ label }) => label));
    const barWidth = Math.max(1, width - textWidth - labelWidth - 2);
    const highest = bars.reduce((most, { value }) => Math.max(most, value), 0);
    const lines = bars.map(({ label, value, text }) => {
      const parts = value > 0 ? Math.max(1, Math.round((value / highest) * barWidth * 8)) : 0;
      const bar = "█".repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? "");
      return `${label}${blanks(label, labelWidth)} ${bar}${blanks(bar, barWidth)} ${blanks(text, textWidth)}${text}\n`;
    });
    const heading = shown.length > 1 ? `${printable(store.store ?? "")}\n` : "";
    const { orders, revenue } = store.totals.current ?? noOrders;
    const end = isNarrow ? `${t`Total`}: ${sold(orders, revenue)}\n` : "";
    return heading + lines.join("") + end;
  });
  return charts.join("\n");
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
