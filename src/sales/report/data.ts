/** A report's page carries its figures as data, for `comanda changes` and for other programs. */
import * as z from "zod/mini";

import { dateFields } from "../../contract/enums.js";
import { groupSchema } from "../../contract/summary.js";
import { parseJson } from "../../shared/json.js";
import type { Period } from "../period/period.js";

/** A page that isn't whole yet holds this mark. */
export const incompleteMark = 'data-state="incomplete"';

/** No browser shows what is in a template, and nothing of it is run. */
const [opening, closing] = ['<template id="comanda-figures">', "</template>"];

const storeSchema = z.object({
  store: z.string(),
  /** The days are YYYY-MM-DD, both included, or date-times with offset. */
  from: z.string(),
  to: z.string(),
  time_zone: z.string(),
  day_starts: z.optional(z.string()),
  /** The oldest of its figures was asked for at this time, in ISO 8601. */
  asked_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  grouped: z.record(z.string(), z.object({ groups: z.array(groupSchema()) })),
});
const reportDataSchema = z.object({
  version: z.literal(1),
  date_field: z.enum(dateFields),
  /** The filters stay as they were typed. */
  filters: z.array(z.string()),
  stores: z.array(storeSchema).check(z.minLength(1)),
});

export type ReportData = z.infer<typeof reportDataSchema>;
export type StoreData = ReportData["stores"][number];

/** Gives the days of a page: to ask for them again, or to tell whether another page is of the same ones. */
export function daysOf({ kind, from, to, zone, dayStarts }: Period) {
  return {
    ...(kind === "instants" ? { from: from.sent, to: to.sent } : { from: from.date, to: to.date }),
    time_zone: zone,
    ...(dayStarts !== undefined && { day_starts: dayStarts }),
  };
}

/** @param json is without characters that no page shows */
export function reportDataTemplate(json: string): string {
  return opening + json.replaceAll("&", "&amp;").replaceAll("<", "&lt;") + closing;
}

/** @returns `undefined` for anything but the page of a whole report with figures; older pages have none */
export function readReportData(html: string): ReportData | undefined {
  const start = html.indexOf(opening);
  const end = html.indexOf(closing, start);
  if (start === -1 || end === -1) return undefined;
  const text = html
    .slice(start + opening.length, end)
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  const data = reportDataSchema.safeParse(parseJson(text));
  return data.success ? data.data : undefined;
}
