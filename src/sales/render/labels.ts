/** Names groups for people: dates and weekdays as they write them, and no two groups of a list alike. */
import type { Dimension } from "../../api/values.js";
import { groupBy } from "../../api/basics.js";
import { t } from "../../languages/language.js";
import type { Row } from "../figures.js";
import { weekdayNamed } from "../group-days.js";
import { withoutDirection } from "./numbers.js";

type Named = Pick<Row, "key" | "label">;

/** Two drivers of one name have their keys behind it: `Ana (11)`, `Ana (12)`. */
export function namesOf(
  rows: readonly Named[],
  by: Dimension | undefined,
  locale: string,
): readonly string[] {
  const write = writerOf(by, locale);
  const names = rows.map((row) => {
    const name = write(row) ?? row.label ?? (row.key === null ? t`(none)` : String(row.key));
    return name.trim() === "" ? JSON.stringify(name) : name;
  });
  const looks = names.map((name) =>
    name
      .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
      .trim()
      .normalize(),
  );
  const alike = groupBy(looks, (look) => look);
  return names.map((name, index) => {
    const isOne = alike.get(looks[index] ?? "")?.length === 1;
    return isOne ? name : `${name} (${JSON.stringify(rows[index]?.key)})`;
  });
}

type Writer = (row: Named) => string | undefined;

/** A key that is no date, and a name that is no weekday, stay what the service calls them. */
function writerOf(by: Dimension | undefined, locale: string): Writer {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const written = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    return (date: string | number) =>
      withoutDirection(written.format(typeof date === "string" ? Date.parse(date) : date));
  };
  const isEnglish = /^en\b/.test(locale);
  const month = { year: "numeric", month: "2-digit" } as const;
  if (by === "day") {
    // English writes ISO 8601, since 05/10 is one day in London and another in New York.
    const day = isEnglish ? String : format({ ...month, day: "2-digit" });
    const weekday = format({ weekday: "short" });
    return ({ key }) => (isDay(key) ? `${day(key)} ${weekday(key)}` : undefined);
  }
  if (by === "month") {
    const write = isEnglish ? String : format(month);
    return ({ key }) =>
      typeof key === "string" && /^\d{4}-(?:0\d|1[0-2])$/.test(key) ? write(key) : undefined;
  }
  if (by === "day_of_week") {
    const weekday = format({ weekday: "long" });
    return ({ key, label }) => {
      const place = weekdayNamed(label ?? String(key));
      return place === undefined ? undefined : capital(weekday(firstSunday + place * dayMs));
    };
  }
  if (by === "hour") {
    return ({ key, label }) => {
      const [, hour] = /^(\d{1,2})(?::00)?$/.exec(String(key)) ?? [];
      return label ?? (hour === undefined ? undefined : `${hour.padStart(2, "0")}:00`);
    };
  }
  return () => undefined;
}

export function isDay(key: Row["key"]): key is string {
  return typeof key === "string" && /^\d{4}-\d{2}-\d{2}$/.test(key);
}

const dayMs = 86_400_000;
/** 1970-01-04, in milliseconds since the epoch. */
const firstSunday = 3 * dayMs;

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
