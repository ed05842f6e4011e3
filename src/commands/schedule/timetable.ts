/** When a scheduled command runs, and how the schedulers of this world write that. */
import { ComandaError } from "../../shared/errors.js";
import { capitalized, currentLanguage, t } from "../../shared/language.js";
import { nearest } from "../../shared/nearest.js";

/** Minutes and hours of the scheduler's clock. */
export type Timetable =
  | { readonly kind: "hourly"; readonly minute: number }
  | { readonly kind: "daily"; readonly hour: number; readonly minute: number }
  | { readonly kind: "weekly"; readonly weekday: Weekday; readonly hour: number; readonly minute: number };

/** As the week goes: cron counts from Sunday. */
export const weekdays = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;
export type Weekday = (typeof weekdays)[number];

/** As people in Brazil say them, in the same order. */
const portugueseWeekdays = ["domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado"] as const;

/**
 * @param given the options as they were typed
 * @throws {ComandaError} `usage` unless exactly one of them is there, and is a time
 */
export function parseTimetable(given: {
  readonly hourly: string | undefined;
  readonly daily: string | undefined;
  readonly weekly: string | undefined;
}): Timetable {
  const { hourly, daily, weekly } = given;
  if ([hourly, daily, weekly].filter((one) => one !== undefined).length !== 1) {
    throw new ComandaError("usage", t`It takes one of --hourly, --daily and --weekly.`, {
      hint: t`For example: ${"--daily 06:15"}`,
    });
  }
  if (hourly !== undefined) return { kind: "hourly", minute: minuteOf(hourly) };
  if (daily !== undefined) return { kind: "daily", ...timeOf("--daily", daily) };
  const [day = "", time = ""] = (weekly ?? "").split("@");
  return { kind: "weekly", weekday: weekdayOf(day), ...timeOf("--weekly", time) };
}

function minuteOf(text: string): number {
  const minute = /^\d{1,2}$/.test(text) ? Number(text) : 60;
  if (minute < 60) return minute;
  throw new ComandaError("usage", t`${"--hourly"} can't be "${text}".`, {
    hint: t`It takes a minute of the hour, from 0 to 59.`,
  });
}

function timeOf(option: string, text: string): { readonly hour: number; readonly minute: number } {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined && minute !== undefined) return { hour: Number(hour), minute: Number(minute) };
  throw new ComandaError("usage", t`${option} can't be "${text}".`, {
    hint: t`For example: ${option === "--daily" ? "--daily 06:15" : "--weekly monday@06:15"}`,
  });
}

/** In both languages, by three letters or more, with accents or without. */
function weekdayOf(text: string): Weekday {
  const word = plain(text).replace(/[- ]feira$/, "");
  const isMeant = (day: string) => word.length >= 3 && plain(day).startsWith(word);
  const found = weekdays.find((day, index) => isMeant(day) || isMeant(portugueseWeekdays[index] ?? ""));
  if (found !== undefined) return found;
  const meant = nearest(word, [...weekdays, ...portugueseWeekdays]);
  const names = currentLanguage() === "pt-BR" ? portugueseWeekdays : weekdays;
  throw new ComandaError("usage", t`There is no weekday "${text}".`, {
    hint: meant === undefined ? t`There are: ${names.join(", ")}.` : t`Did you mean ${meant}?`,
  });
}

function plain(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** The timetable so many minutes later; what passes midnight is on the next day. */
export function later(timetable: Timetable, minutes: number): Timetable {
  if (timetable.kind === "hourly") return { ...timetable, minute: (timetable.minute + minutes) % 60 };
  const sum = timetable.hour * 60 + timetable.minute + minutes;
  const time = { hour: Math.floor(sum / 60) % 24, minute: sum % 60 };
  if (timetable.kind === "daily") return { ...timetable, ...time };
  const day = weekdays.indexOf(timetable.weekday) + Math.floor(sum / 1_440);
  return { ...timetable, ...time, weekday: weekdays[day % 7] ?? timetable.weekday };
}

/** The five fields of a crontab. */
export function cronFields(timetable: Timetable): string {
  const { minute } = timetable;
  if (timetable.kind === "hourly") return `${minute} * * * *`;
  const day = timetable.kind === "weekly" ? weekdays.indexOf(timetable.weekday) : "*";
  return `${minute} ${timetable.hour} * * ${day}`;
}

/** The `OnCalendar=` of a systemd timer (systemd.time). */
export function calendarEvent(timetable: Timetable): string {
  const minute = two(timetable.minute);
  if (timetable.kind === "hourly") return `*-*-* *:${minute}:00`;
  const day = timetable.kind === "weekly" ? `${capitalized(timetable.weekday).slice(0, 3)} ` : "";
  return `${day}*-*-* ${two(timetable.hour)}:${minute}:00`;
}

export function two(number: number): string {
  return String(number).padStart(2, "0");
}
