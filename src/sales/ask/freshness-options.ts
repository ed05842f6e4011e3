/** `--max-age`, `--fresh`, `--offline` and `--as-of` say how old figures may be. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Freshness } from "../ledger/freshness.js";
import { endOfDay, isDate, isDateTime, parseDate, parseDateTime, zonedNow } from "../period/calendar.js";
import { dayNamed, isPeriodName, nearestName } from "../period/names.js";
import { underHeading } from "../../toolkit/command.js";
import type { CommandLine } from "../../toolkit/command-line.js";
import { parseDuration } from "../../toolkit/durations.js";

export const freshnessOptions = underHeading("Age:", [
  {
    flags: "--max-age <duration>",
    description: "ask again what is kept and older, unless it is final (default: 1d)",
  },
  { flags: "--fresh", description: "ask the service even for what is kept on this machine" },
  { flags: "--offline", description: "ask nothing: show what is kept on this machine, however old" },
  { flags: "--as-of <date>", description: "ask nothing: show what was known by the end of that day" },
]);

/** The text stays as it was typed: the store's zone decides which day that is, and when it ends. */
export type FreshnessOption =
  Exclude<Freshness, { readonly kind: "as of" }> | { readonly kind: "as of"; readonly date: string };

/** The service goes back this far (section 8), so no answer is older. */
const longestAge = { ms: 3 * 366 * 86_400_000, text: () => t`3 years` };

/** @throws {ComandaError} `usage` for two of them together, or what is no duration or date */
export function parseFreshness(line: CommandLine): FreshnessOption {
  const [maxAge, asOf] = [line.text("--max-age"), line.text("--as-of")];
  const [first, second] = [
    ...(maxAge === undefined ? [] : ["--max-age"]),
    ...["--fresh", "--offline"].filter((flag) => line.flag(flag)),
    ...(asOf === undefined ? [] : ["--as-of"]),
  ];
  if (first !== undefined && second !== undefined) {
    throw new ComandaError("usage", t`${first} and ${second} contradict each other.`, {
      hint: t`Give one of --max-age, --fresh, --offline and --as-of.`,
    });
  }
  if (line.flag("--fresh")) return { kind: "fresh" };
  if (line.flag("--offline")) return { kind: "offline" };
  if (asOf === undefined) {
    const maxAgeMs = maxAge === undefined ? undefined : parseDuration("--max-age", maxAge, longestAge);
    return { kind: "usual", maxAgeMs };
  }
  if (isMoment(asOf)) return { kind: "as of", date: asOf };
  throw momentError(t`--as-of "${asOf}" is neither a date nor a date-time with offset.${nearestName(asOf)}`);
}

/**
 * Tells whether a text is a date, a date-time or the name of a period.
 *
 * @throws {ComandaError} `invalid_input` for a day that doesn't exist
 */
export function isMoment(text: string): boolean {
  if (!isPeriodName(text) && !isDateTime(text)) return false;
  // A leap year has every day that a text without a year may mean.
  momentOf(dayNamed(text, "last", parseDateTime("2024-12-31T12:00:00Z", "UTC")), "UTC");
  return true;
}

/** Finds the moment that a text means. A date means its end, so that all that was known on that day counts. */
function momentOf(text: string, zone: string): number {
  return (isDate(text) ? endOfDay(parseDate(text), { zone }) : parseDateTime(text, zone)).epochMilliseconds;
}

/**
 * Makes the option's day a moment in the store's zone.
 *
 * @throws {ComandaError} `usage` for a day to come
 */
export function freshnessAt(option: FreshnessOption, zone: string, now: number): Freshness {
  if (option.kind !== "as of") return option;
  const date = dayNamed(option.date, "last", zonedNow(now, zone));
  const at = momentOf(date, zone);
  const today = isDate(date) ? at - 86_400_000 : at;
  if (today > now) throw momentError(t`--as-of ${option.date} lies in the future.`);
  return { kind: "as of", at };
}

function momentError(message: string): ComandaError {
  return new ComandaError("usage", message, {
    hint: t`Give a day until today, 2026-11-01, its name, yesterday or last-month, or a date-time, 2026-11-01T18:00:00-03:00.`,
  });
}
