/** Decides whether a request is sent again where that does no harm (RFC 9110, section 9.2.2), and when. Pure. */
import { parseJson } from "../api/basics.js";
import { isNotDone, type Failed } from "./judge.js";

export interface Situation {
  readonly last: Failed;
  /** May the operation be sent again when it is not known whether it was received? */
  readonly repeatable: boolean;
  /** This call has been repeated so often for anything but a rate limit. */
  readonly repeats: number;
  readonly maxRepeats: number;
  /** It has waited for the service's own rate limit so often. */
  readonly waits: number;
  /** Milliseconds of the operation's rate limit window. */
  readonly windowMs: number;
  /** At least 0 and below 1. */
  readonly random: number;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly now: number;
}

/**
 * `wait`: for the service's rate limit; `pause`: for as long as the service says that it is away; `repeat`: after a pause of our
 * own.
 */
export interface Decision {
  readonly kind: "wait" | "pause" | "repeat";
  readonly afterMs: number;
}

/** @returns `undefined` where it isn't sent again */
export function decide(situation: Situation): Decision | undefined {
  const { last, repeatable, repeats, maxRepeats, random, now } = situation;
  if (last.code === "rate_limited") return { kind: "wait", afterMs: rateLimitWait(situation) };
  const { failure } = last;
  if (failure) {
    // A bad certificate stays bad, and so does a password: asking again only tells more to whoever holds it.
    const staysSo = !failure.sent && ["tls", "proxy_auth"].includes(failure.failure);
    if (staysSo || failure.failure === "aborted" || (failure.sent && !repeatable)) return undefined;
    // What isn't the API's word may come from a portal in between, or from the service after doing it.
  } else if (isNotDone(last) || !repeatable || wouldAnswerTheSame(last)) return undefined;
  if (repeats >= maxRepeats) return undefined;
  const afterMs = backoff(repeats, random);
  const waitMs = retryAfter(last, now);
  return waitMs === undefined || waitMs <= afterMs
    ? { kind: "repeat", afterMs }
    : { kind: "pause", afterMs: waitMs };
}

const notImplemented = 501;

/**
 * JSON that isn't what the contract says, a way to elsewhere, a page that says no, or a method that isn't there (RFC 9110,
 * section 15.6.2): whoever answered is up, and would answer the same again.
 */
function wouldAnswerTheSame({ answer }: Failed): boolean {
  if (!answer) return false;
  const { status, body } = answer;
  if (status >= 500) return status === notImplemented;
  return status >= 300 || parseJson(body) !== undefined;
}

const firstDelayMs = 500;
const longestDelayMs = 8000;

/** Exponential backoff with full jitter: anywhere up to 0.5 s, 1 s, 2 s and so on. */
export function backoff(repeats: number, random: number): number {
  return Math.floor(random * Math.min(longestDelayMs, firstDelayMs * 2 ** repeats));
}

/** A service that asks for less, or for a moment that is past, is asked again no sooner. */
const shortestWaitMs = 1000;

/** The wait that the service asks for: longer where the call met it before, and never longer than its window. */
function rateLimitWait({ last, windowMs, random, now, waits }: Situation): number {
  const asked = retryAfter(last, now) ?? Math.floor(windowMs * (0.5 + random / 2));
  return Math.min(Math.max(asked, shortestWaitMs * 2 ** Math.min(waits, 10)), windowMs);
}

function retryAfter({ answer }: Failed, now: number): number | undefined {
  if (!answer) return undefined;
  const { date, "retry-after": header } = answer.headers;
  // A moment is one of the service's clock: this machine's may be half an hour off.
  return parseRetryAfter(header, parseHttpDate(date) ?? now);
}

/** No service asks for longer in earnest; `setTimeout` wraps around at 24.8 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

const imfFixdate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads the header `Retry-After` (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since the epoch, by which a date is measured
 * @returns milliseconds to wait, from 0 to one day; `undefined` where the header is absent or neither whole
 *   seconds nor an HTTP date
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestWaitMs);
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.min(Math.max(date - now, 0), longestWaitMs);
}

function parseHttpDate(text = ""): number | undefined {
  const date = imfFixdate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
