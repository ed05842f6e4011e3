/** Writes the five fields of a crontab, and a command line that cron and its shell read as it was typed. */
import { ComandaError } from "../../shared/errors.js";
import { currentLanguage, t } from "../../shared/language.js";
import { nearest } from "../../shared/nearest.js";
import { shellWord } from "../../shared/shell-word.js";

/** Cron counts the days of the week from Sunday. */
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
/** The Portuguese weekdays stand in the same order. */
const portugueseWeekdays = ["domingo", "segunda", "terça", "quarta", "quinta", "sexta", "sábado"] as const;

/**
 * @param times the options as they were typed
 * @throws {ComandaError} `usage` unless exactly one of them is given, and is a time
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

/** A weekday is read in both languages, by three letters or more, with accents or without. */
function weekdayOf(text: string): number {
  const word = plain(text).replace(/[- ]feira$/, "");
  const matches = (day: string) => word.length >= 3 && plain(day).startsWith(word);
  const weekday = weekdays.findIndex(
    (day, index) => matches(day) || matches(portugueseWeekdays[index] ?? ""),
  );
  if (weekday >= 0) return weekday;
  const similar = nearest(word, [...weekdays, ...portugueseWeekdays]);
  const names = currentLanguage() === "pt-BR" ? portugueseWeekdays : weekdays;
  throw new ComandaError("usage", t`There is no weekday "${text}".`, {
    hint: similar === undefined ? t`There are: ${names.join(", ")}.` : t`Did you mean ${similar}?`,
  });
}

function plain(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/**
 * In a crontab(5) an unescaped `%` ends the command, even inside quotes. Two backslashes are read differently by different
 * crons, and a backslash before an escaped `%` is lost. So the quotes are closed and opened again behind each backslash,
 * which makes it stand alone. Outside of quotes only `'\\''` has a backslash, and neither sign follows it there.
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
  const delayedCommand = delaySeconds > 0 ? `sleep ${delaySeconds}; ${command}` : command;
  return delayedCommand.replaceAll(/\\(?=[\\%])/g, "$&''").replaceAll("%", String.raw`\%`);
}
