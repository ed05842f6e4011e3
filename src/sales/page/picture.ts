/** Draws bars as SVG with echarts, without a browser. Colours are the page's, so they follow light and dark. */
import { BarChart, LineChart } from "echarts/charts";
import { GridSimpleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import stringWidth from "string-width";

import { cutToWidth } from "../present/text.js";

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

/** The page's variables follow light and dark; echarts writes them as they are. */
const colors = {
  revenue: "var(--revenue)",
  orders: "var(--orders)",
  text: "var(--muted)",
  line: "var(--line)",
} as const;

const fontSize = 12;
const barHeight = 28;
const hoursOfDay = 24;
/** More columns than this have their tops joined by a line: bars would be thinner than the gaps between them. */
const manyColumns = 62;
const textStyle = { color: colors.text, fontSize } as const;
const lineStyle = { color: colors.line } as const;
const noPointer = { emphasis: { disabled: true } } as const;

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
    return { width, height, content: contentOf(chart.renderToSVGString()) };
  } finally {
    chart.dispose();
  }
}

function barsOption(points: readonly PicturePoint[], { width, color }: PictureOptions) {
  const labels = points.map(({ label }) => fitText(label, width * 0.4));
  const axis = { type: "category", inverse: true, data: labels };
  return {
    grid: {
      left: widest(labels) + 10,
      right: widest(points.map(({ text }) => text)) + 10,
      ...{ top: 2, bottom: 2, outerBoundsMode: "none" },
    },
    xAxis: { type: "value", show: false, min: 0 },
    yAxis: [
      {
        ...axis,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { ...textStyle, interval: 0 },
      },
      { ...axis, show: false },
    ],
    series: [
      ...(isCompared(points) ? [{ ...beforeBars(points), yAxisIndex: 1, barWidth: 24 }] : []),
      {
        type: "bar",
        barWidth: 16,
        itemStyle: { color: colors[color], borderRadius: [0, 3, 3, 0] },
        ...noPointer,
        label: {
          ...{ show: true, position: "right", ...textStyle },
          formatter: ({ dataIndex }: { dataIndex: number }) => points[dataIndex]?.text ?? "",
        },
        data: points.map(({ value }) => Math.max(0, value)),
      },
    ],
  };
}

function columnsOption(points: readonly PicturePoint[], { axisText, color, width }: PictureOptions) {
  const highest = points.reduce((most, { value, before = 0 }) => Math.max(most, value, before), 0);
  const left = Math.max(56, widthOf(axisText(highest * 1.1)) + 14);
  const columnWidth = (width - left - 12) / points.length;
  // Few columns are all named, if need be by the beginning of the name; of many, as many as there is room for.
  const isEveryNamed = points.length <= 12;
  const labels = points.map(({ label }) => fitText(label, isEveryNamed ? columnWidth - 2 : 96));
  const labelWidth = widest(labels);
  // Each hour of a day has its label on a phone too, in a small font.
  const smallSize = Math.min(fontSize, Math.floor((fontSize * columnWidth) / labelWidth));
  const isEveryLabeled = isEveryNamed || (points.length <= hoursOfDay && smallSize >= 8);
  const isLine = points.length > manyColumns;
  const axis = { type: "category", data: labels };
  const before = {
    ...(isLine ? beforeLine(points) : beforeBars(points)),
    xAxisIndex: 1,
    barCategoryGap: "8%",
  };
  return {
    grid: {
      left,
      // The name of the last column may be wider than it.
      right: isEveryNamed ? 12 : Math.ceil(labelWidth / 2) + 4,
      ...{ top: 10, bottom: 26, outerBoundsMode: "none" },
    },
    xAxis: [
      {
        ...axis,
        axisLine: { lineStyle },
        axisTick: { show: false },
        axisLabel: {
          ...textStyle,
          fontSize: isEveryLabeled ? smallSize : fontSize,
          interval: isEveryLabeled ? 0 : Math.ceil((labelWidth + 10) / columnWidth) - 1,
        },
      },
      { ...axis, show: false },
    ],
    yAxis: {
      ...{ type: "value", min: 0, splitNumber: 4 },
      minInterval: highest <= 4 && highest > 0 ? 1 : 0,
      splitLine: { lineStyle },
      axisLabel: { ...textStyle, formatter: axisText },
    },
    series: [
      ...(isCompared(points) ? [before] : []),
      {
        type: isLine ? "line" : "bar",
        barCategoryGap: isCompared(points) ? "45%" : "25%",
        ...(isLine && { symbol: "none", lineStyle: { width: 1.5, color: colors[color] } }),
        itemStyle: { color: colors[color], borderRadius: [3, 3, 0, 0] },
        ...noPointer,
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
  const itemStyle = { color: colors.line, borderColor: colors.text, borderWidth: 1 };
  return { type: "bar", itemStyle, ...noPointer, data: valuesBefore(points) };
}

function beforeLine(points: readonly PicturePoint[]) {
  const dashes = { width: 1, type: "dashed", color: colors.text };
  return { type: "line", symbol: "none", lineStyle: dashes, ...noPointer, data: valuesBefore(points) };
}

function valuesBefore(points: readonly PicturePoint[]) {
  return points.map(({ before }) => (before === undefined ? null : Math.max(0, before)));
}

/** Drops the element around the picture, which the page writes itself, and styles for a pointer that hovers. */
function contentOf(svg: string): string {
  return svg
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>\s*$/, "")
    .replaceAll(/<style[\s\S]*?<\/style>/g, "")
    .replaceAll(/ (?:class|ecmeta_\w+|xml:space|pointer-events)="[^"]*"/g, "")
    .trim();
}

/**
 * A column of a terminal has about this share of the font's size. The reader's fonts are not known here, so nothing
 * can be measured: it is on the wide side for the usual ones.
 */
const columnShare = 0.7;

/** Gives the width in pixels that a text will have, about. */
function widthOf(text: string): number {
  return Math.ceil(stringWidth(text) * columnShare * fontSize);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/** Cuts the text where it doesn't fit into so many pixels, and puts an ellipsis behind it. */
function fitText(text: string, pixels: number): string {
  return cutToWidth(text, Math.floor(pixels / (columnShare * fontSize)), "…");
}
