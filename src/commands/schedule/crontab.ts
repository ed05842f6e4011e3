/** What a crontab says: its five fields of time, and a command line that cron and its shell read as it was typed. */
import { ComandaError } from "../../shared/errors.js";
import { currentLanguage, t } from "../../shared/language.js";
import { nearest } from "../../shared/nearest.js";
import { shellWord } from "../../shared/shell-word.js";

/** Cron counts the days of the week from Sunday. */
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
/** The weekdays as people in Brazil say them, in the same order. */
const portugueseWeekdays = ["domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado"] as const;

/**
 * The five fields of a crontab.
 *
 * @param times the options as they were typed
 * @throws {ComandaError} `usage` unless exactly one of them is there, and is a time
 */
export function cronFields(times: {
  readonly hourly: string | undefined;
  readonly daily: string | undefined;
  readonly weekly: string | undefined;
}): string {
  const { hourly, daily, weekly } = times;
  if ([hourly, daily, weekly].filter((time) => time !== undefined).length !== 1) {
    throw new ComandaError("usage", t`It takes one of --hourly, --daily and --weekly.`, {
      hint: t`For example: ${"--daily 06:15"}`,
    });
  }
  if (hourly !== undefined) return `${minuteOf(hourly)} * * * *`;
  if (daily !== undefined) return `${timeOf("--daily", daily)} * * *`;
  const [day = "", time = ""] = (weekly ?? "").split("@");
  return `${timeOf("--weekly", time)} * * ${weekdayOf(day)}`;
}

function minuteOf(text: string): number {
  const minute = /^\d{1,2}$/.test(text) ? Number(text) : 60;
  if (minute < 60) return minute;
  throw new ComandaError("usage", t`${"--hourly"} can't be "${text}".`, {
    hint: t`It takes a minute of the hour, from 0 to 59.`,
  });
}

/** @returns minute and hour, in cron's order */
function timeOf(option: string, text: string): string {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour !== undefined && minute !== undefined) return `${Number(minute)} ${Number(hour)}`;
  throw new ComandaError("usage", t`${option} can't be "${text}".`, {
    hint: t`For example: ${option === "--daily" ? "--daily 06:15" : "--weekly monday@06:15"}`,
  });
}

/** Reads a weekday in both languages, by three letters or more, with accents or without. */
function weekdayOf(text: string): number {
  const word = plain(text).replace(/[- ]feira$/, "");
  const isMeant = (day: string) => word.length >= 3 && plain(day).startsWith(word);
  const weekday = weekdays.findIndex(
    (day, index) => isMeant(day) || isMeant(portugueseWeekdays[index] ?? ""),
  );
  if (weekday >= 0) return weekday;
  const meant = nearest(word, [...weekdays, ...portugueseWeekdays]);
  const names = currentLanguage() === "pt-BR" ? portugueseWeekdays : weekdays;
  throw new ComandaError("usage", t`There is no weekday "${text}".`, {
    hint: meant === undefined ? t`There are: ${names.join(", ")}.` : t`Did you mean ${meant}?`,
  });
}

function plain(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/**
 * The command as crontab(5) reads it: a `%` that isn't escaped ends it, also inside quotes. How two backslashes are read
 * differs from cron to cron, and one in front of an escaped `%` is lost: so each is made to stand alone, by ending the
 * quotes behind it and beginning new ones. The only ones outside of quotes are those of `'\\''`, which nothing of the
 * kind follows.
 */
export function cronCommand(
  words: readonly string[],
  {
    variables,
    delaySeconds,
  }: { readonly variables: ReadonlyMap<string, string>; readonly delaySeconds: number },
): string {
  const assignments = Array.from(variables, ([name, value]) => `${name}=${shellWord(value)}`);
  const command = [...assignments, ...words.map(shellWord)].join(" ");
  const delayed = delaySeconds > 0 ? `sleep ${delaySeconds}; ${command}` : command;
  return delayed.replaceAll(/\\(?=[\\%])/g, "$&''").replaceAll("%", String.raw`\%`);
}
