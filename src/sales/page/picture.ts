/** Draws bars as SVG with echarts, without a browser. Colours are the page's, so they follow light and dark. */
import { BarChart, LineChart } from "echarts/charts";
import { GridSimpleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import stringWidth from "string-width";

use([BarChart, LineChart, GridSimpleComponent, SVGRenderer]);

export interface PicturePoint {
  readonly name: string;
  /** The axis shows this short name. */
  readonly label: string;
  readonly value: number;
  /** The period before had this value, where it is compared. */
  readonly before?: number | undefined;
  /** The bar carries this text, for example the amount in the reader's locale. */
  readonly text: string;
}

export interface PictureOptions {
  /** The width is in pixels. */
  readonly width: number;
  /** `columns` suits groups that have an order in time, `bars` those that have names. */
  readonly shape: "columns" | "bars";
  /** Writes a value of the axis, shortly. */
  readonly axisText: (value: number) => string;
  /** The bars have the colour of this CSS variable. */
  readonly color: PictureColor;
}

export type PictureColor = "revenue" | "orders";

/** echarts can reckon with these colours; the page's variables take their place in the text. */
const colors = {
  revenue: { standIn: "#0a0b0c", variable: "var(--revenue)" },
  orders: { standIn: "#0a0b0d", variable: "var(--orders)" },
  text: { standIn: "#0a0b0e", variable: "var(--muted)" },
  line: { standIn: "#0a0b0f", variable: "var(--line)" },
} as const;

const fontSize = 12;
const barHeight = 28;
const hoursOfDay = 24;
/** More columns than this have their tops joined by a line: bars would be thinner than the gaps between them. */
const manyColumns = 62;

/** @returns the content of an `svg` element and its size; every text in it is escaped */
export function drawPicture(
  points: readonly PicturePoint[],
  options: PictureOptions,
): { readonly width: number; readonly height: number; readonly content: string } {
  const { width, shape } = options;
  const height = shape === "bars" ? points.length * barHeight + 4 : 210;
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      silent: true,
      textStyle: { fontFamily: "inherit", fontSize },
      ...(shape === "bars" ? barsOption(points, options) : columnsOption(points, options)),
    });
    return { width, height, content: withPageColors(inner(chart.renderToSVGString())) };
  } finally {
    chart.dispose();
  }
}

function barsOption(points: readonly PicturePoint[], { width, color }: PictureOptions) {
  const labels = points.map(({ label }) => fitText(label, width * 0.4, fontSize));
  const left = widest(labels) + 10;
  const right = widest(points.map(({ text }) => text)) + 10;
  return {
    grid: { left, right, top: 2, bottom: 2, outerBoundsMode: "none" },
    xAxis: { type: "value", show: false, min: 0 },
    yAxis: [
      {
        type: "category",
        inverse: true,
        data: labels,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { color: colors.text.standIn, fontSize, interval: 0 },
      },
      { type: "category", inverse: true, data: labels, show: false },
    ],
    series: [
      ...(isCompared(points) ? [{ ...beforeBars(points), yAxisIndex: 1, barWidth: 24 }] : []),
      {
        type: "bar",
        barWidth: 16,
        itemStyle: { color: colors[color].standIn, borderRadius: [0, 3, 3, 0] },
        emphasis: { disabled: true },
        label: {
          show: true,
          position: "right",
          color: colors.text.standIn,
          fontSize,
          formatter: ({ dataIndex }: { dataIndex: number }) => points[dataIndex]?.text ?? "",
        },
        data: points.map(({ value }) => Math.max(0, value)),
      },
    ],
  };
}

function isCompared(points: readonly PicturePoint[]): boolean {
  return points.some(({ before }) => before !== undefined);
}

/**
 * Draws the bars of the period before. They are wider, and stand behind those of this period: an axis of their own
 * keeps them from standing beside these.
 */
function beforeBars(points: readonly PicturePoint[]) {
  return {
    type: "bar",
    itemStyle: { color: colors.line.standIn, borderColor: colors.text.standIn, borderWidth: 1 },
    emphasis: { disabled: true },
    data: points.map(({ before }) => (before === undefined ? null : Math.max(0, before))),
  };
}

function columnsOption(points: readonly PicturePoint[], { axisText, color, width }: PictureOptions) {
  const highest = points.reduce((most, { value, before = 0 }) => Math.max(most, value, before), 0);
  const left = Math.max(56, widthOf(axisText(highest * 1.1), fontSize) + 14);
  // Few columns are all named, if need be by the beginning of the name; of many, as many as there is room for.
  const isEveryNamed = points.length <= 12;
  const columnWidth = isEveryNamed ? (width - left - 12) / points.length - 2 : 96;
  const labels = points.map(({ label }) => fitText(label, columnWidth, fontSize));
  const room = Math.max(1, Math.floor((width - left) / (widest(labels) + 10)));
  // Each hour of a day has its label on a phone too, in a small font.
  const size =
    points.length > hoursOfDay ? undefined : sizeThatFits(labels, (width - left - 12) / points.length);
  const isLine = points.length > manyColumns;
  return {
    // The name of the last column may be wider than it.
    grid: {
      left,
      right: isEveryNamed ? 12 : Math.ceil(widest(labels) / 2) + 4,
      top: 10,
      bottom: 26,
      outerBoundsMode: "none",
    },
    xAxis: [
      {
        type: "category",
        data: labels,
        axisLine: { lineStyle: { color: colors.line.standIn } },
        axisTick: { show: false },
        axisLabel: {
          color: colors.text.standIn,
          fontSize: size ?? fontSize,
          interval: isEveryNamed || size !== undefined ? 0 : Math.max(0, Math.ceil(labels.length / room) - 1),
        },
      },
      { type: "category", data: labels, show: false },
    ],
    yAxis: {
      type: "value",
      min: 0,
      minInterval: highest <= 4 && highest > 0 ? 1 : 0,
      splitNumber: 4,
      splitLine: { lineStyle: { color: colors.line.standIn } },
      axisLabel: { color: colors.text.standIn, fontSize, formatter: axisText },
    },
    series: [
      ...(isCompared(points)
        ? [{ ...(isLine ? beforeLine(points) : beforeBars(points)), xAxisIndex: 1, barCategoryGap: "8%" }]
        : []),
      {
        type: isLine ? "line" : "bar",
        barCategoryGap: isCompared(points) ? "45%" : "25%",
        ...(isLine && { symbol: "none", lineStyle: { width: 1.5, color: colors[color].standIn } }),
        itemStyle: { color: colors[color].standIn, borderRadius: [3, 3, 0, 0] },
        emphasis: { disabled: true },
        data: points.map(({ value }) => Math.max(0, value)),
      },
    ],
  };
}

/** @returns `undefined` where it would have to be smaller than anybody reads */
function sizeThatFits(labels: readonly string[], pixels: number): number | undefined {
  return [fontSize, 11, 10, 9, 8].find((size) => labels.every((label) => widthOf(label, size) < pixels));
}

function beforeLine(points: readonly PicturePoint[]) {
  return {
    type: "line",
    symbol: "none",
    lineStyle: { width: 1, type: "dashed", color: colors.text.standIn },
    itemStyle: { color: colors.text.standIn },
    emphasis: { disabled: true },
    data: points.map(({ before }) => (before === undefined ? null : Math.max(0, before))),
  };
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text, fontSize)), 0);
}

/** Drops the element around the picture, which the page writes itself, and styles for a pointer that hovers. */
function inner(svg: string): string {
  return svg
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>\s*$/, "")
    .replaceAll(/<style[\s\S]*?<\/style>/g, "")
    .replaceAll(/ (?:class|ecmeta_\w+|xml:space|pointer-events)="[^"]*"/g, "")
    .trim();
}

function withPageColors(svg: string): string {
  return Object.values(colors).reduce(
    (text, { standIn, variable }) => text.replaceAll(`"${standIn}"`, `"${variable}"`),
    svg,
  );
}

/**
 * A text will have about this width: the reader's fonts are not known here, so nothing can be measured. The shares of
 * the font's size are on the wide side for the usual sans-serif fonts.
 */
const widthShares = [
  { characters: /^[0-9]$/u, share: 0.64 },
  { characters: /^[MWmw@%…—]$/u, share: 1.02 },
  { characters: /^[\p{Lu}\p{N}$€£]$/u, share: 0.74 },
] as const;
const usualShare = 0.64;
const wideShare = 1.4;
/** Most texts match this: each of their characters stands alone and is narrow. */
const plainText = /^[ -~\u00a0]*$/;

/** Gives the width in pixels. */
function widthOf(text: string, fontSize: number): number {
  let width = 0;
  for (const character of charactersOf(text)) width += shareOf(character) * fontSize;
  return Math.ceil(width);
}

/** Cuts the text where it doesn't fit into so many pixels, and puts an ellipsis behind it. */
function fitText(text: string, pixels: number, fontSize: number): string {
  if (widthOf(text, fontSize) <= pixels) return text;
  const ellipsis = "…";
  let room = pixels - widthOf(ellipsis, fontSize);
  let cutText = "";
  for (const character of charactersOf(text)) {
    room -= shareOf(character) * fontSize;
    if (room < 0) break;
    cutText += character;
  }
  return cutText.trimEnd() + ellipsis;
}

/** Splits a text into the characters that a reader sees. */
function charactersOf(text: string): Iterable<string> {
  if (plainText.test(text)) return text;
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function shareOf(character: string): number {
  if (!plainText.test(character) && stringWidth(character) >= 2) return wideShare;
  return widthShares.find(({ characters }) => characters.test(character))?.share ?? usualShare;
}
