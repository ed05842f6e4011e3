/** Keys and labels of the temporal groups, from a local day counted from 1970-01-01. */
import type { Group } from "../../../contract/summary.js";
import { dayOfWeekLabels } from "./choices.js";
import { dayMs } from "./wall-clock.js";

export type KeyAndLabel = Pick<Group, "key" | "label">;

export function hourKey(hour: number): KeyAndLabel {
  return { key: hour, label: `${String(hour).padStart(2, "0")}:00` };
}

export function dayKey(day: number): KeyAndLabel {
  const date = isoDate(day);
  return { key: date, label: date.split("-").toReversed().join("/") };
}

/** 1970-01-01 was a Thursday. */
export function dayOfWeekKey(day: number): KeyAndLabel {
  const weekday = (((day + 4) % 7) + 7) % 7;
  return { key: weekday, label: dayOfWeekLabels[weekday] ?? null };
}

/** ISO 8601: a week belongs to the year that its Thursday is in. */
export function weekKey(day: number): KeyAndLabel {
  const thursday = Math.floor((day + 3) / 7) * 7;
  const year = Number(isoDate(thursday).slice(0, 4));
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / dayMs) / 7) + 1;
  const padded = String(week).padStart(2, "0");
  return { key: `${isoDate(thursday).slice(0, 4)}-W${padded}`, label: `Semana ${week} de ${year}` };
}

export function monthKey(day: number): KeyAndLabel {
  const month = isoDate(day).slice(0, 7);
  return { key: month, label: month.split("-").toReversed().join("/") };
}

function isoDate(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
