/** Words for what the core reports while it works: on a terminal in the status line, elsewhere as lines on stderr. */
import { formatCents } from "../api/money.js";
import { rateLimits } from "../api/values.js";
import { suggestion } from "../base/basics.js";
import { steadyNow, type Clock } from "../base/clock.js";
import { fieldName } from "../base/fields.js";
import type { HintFacts } from "../base/hint-facts.js";
import type { Notice, ProgressKinds, Totals } from "../core/workspace.js";
import { t, translated } from "../languages/language.js";
import { hintFor } from "./hints.js";
import type { Output } from "./output.js";
import { localTime, zoneIsGuessed } from "./text.js";

/** A response or a wait that takes longer is worth a line. */
const slowMs = 2_000;

/** @param hintOf returns the words of a hint, by default those of the command line */
export function createNotifier(output: Output, clock: Clock, hintOf: (facts: HintFacts) => string = hintFor) {
  const { status } = output;
  /** Timers of calls without a response, and the call that the status line names. */
  const timers = new Map<number, NodeJS.Timeout>();
  let shownCall: number | undefined;
  // All calls that wait at the same time are announced by one line. `isPlanned`: waits were announced at the start.
  const waits = { until: Number.NEGATIVE_INFINITY, isPlanned: false, isSlowed: false, retries: 0 };

  function showCall({ number, isOver }: ProgressKinds["call"]): void {
    clearTimeout(timers.get(number));
    timers.delete(number);
    if (isOver) {
      status.show({ wait: undefined, ...(shownCall === number && { answer: undefined }) });
      return;
    }
    const say = () => {
      shownCall = number;
      status.show({ answer: t`Waiting for the service's response` });
    };
    timers.set(number, setTimeout(say, slowMs).unref());
  }

  function showWait({ reason, ms, zone }: Extract<Notice, { readonly type: "wait" }>): void {
    const isOutage = reason === "no_answer";
    const isSlowed = reason === "slowed_down";
    if (isOutage) waits.retries += 1;
    if (status.isShown) {
      const [, ...until] = localTime(clock.now() + ms, zone).split(" ");
      const limit = isSlowed ? t`Slowed down after HTTP 429` : t`Rate limit: until ${until.join(" ")}`;
      status.show({ wait: isOutage ? t`Service down, retries: ${waits.retries}` : limit });
      return;
    }
    const isAnnounced = {
      no_answer: waits.retries > 1,
      rate_limited: false,
      rate_limit: waits.isPlanned,
      slowed_down: waits.isSlowed,
    }[reason];
    if (isSlowed) waits.isSlowed = true;
    const now = steadyNow(clock);
    if (isAnnounced || now < waits.until) return;
    waits.until = now + ms;
    const cause = isOutage ? t`The service is unreachable or failing.` : `${t`Rate limit reached`}.`;
    output.notice(
      isSlowed
        ? t`comanda slows down because the service returned 429 twice.`
        : t`${cause} Waiting ${Math.max(1, Math.ceil(ms / 1000))} s.`,
    );
  }

  function show(type: "notice" | "warning", sentence: string, hintFacts?: HintFacts): void {
    const text = hintFacts ? `${sentence} ${hintOf(hintFacts)}` : sentence;
    if (type === "notice") output.notice(text);
    else output.warn(text);
  }

  function notify(notice: Notice): void {
    if (notice.type === "wait") showWait(notice);
    else if (notice.type !== "progress")
      show(notice.type, sentenceOf(notice), "hintFacts" in notice ? notice.hintFacts : undefined);
    else if (notice.about === "call") {
      if (status.isShown) showCall(notice);
    } else if (notice.about === "orders") {
      const { action, settled, totals } = notice;
      const isOver = settled === totals.orders;
      if (status.isShown && totals.orders > 1)
        status.show({
          progress: isOver ? undefined : `${translated<string>(action)} ${settled}/${totals.orders}`,
          note: isOver ? undefined : totalsText(action, totals),
        });
    } else {
      const { calls, answered, leftMs, isOver } = notice;
      const left = Math.ceil(leftMs / 1_000);
      if (isOver) status.show({ progress: undefined, note: undefined });
      else if (status.isShown && calls > 1)
        status.show({
          progress: `${t`Figures`} ${Math.min(calls, answered)}/${calls}`,
          note: left > 0 ? t`about ${duration(left)} left` : undefined,
        });
      else if (!status.isShown && answered === 0 && leftMs >= slowMs) {
        // Without a terminal, one line announces a long wait.
        waits.isPlanned = true;
        output.notice(callsText(calls, left));
      }
    }
  }

  return {
    notify,
    warn: (sentence: string, hintFacts?: HintFacts) => show("warning", sentence, hintFacts),
    /** Ends the notices of a command, or of a line of the counter. */
    end: (): void => {
      status.show({ progress: undefined, note: undefined, answer: undefined, wait: undefined });
      for (const timer of timers.values()) clearTimeout(timer);
      if (waits.retries > 1)
        output.notice(t`Retried ${waits.retries} times: the service was unreachable or failing.`);
      waits.retries = 0;
    },
  };
}

/** Returns a notice or a warning in words, without those of its hint. */
function sentenceOf(notice: Extract<Notice, { readonly type: "notice" | "warning" }>): string {
  // Warnings about the figures of several stores name the store.
  const store = "label" in notice ? `${notice.label}: ` : "";
  switch (notice.about) {
    case "comma_in_origin":
      return t`The comma is part of the customer_origin "${notice.value}". To filter by several, use one filter for each.`;
    case "unlisted_channel": {
      const { value, listed } = notice;
      const sent = t`The sales_channel "${value}" isn't listed, and is sent unchanged.`;
      return `${sent + suggestion(value, listed)} ${t`Listed channels: ${listed.join(", ")}. The marketplace names are stand-ins for the service's own names.`}`;
    }
    case "rounded":
      return (
        store +
        t`The service returned ${notice.amount}, with more than two decimals. It was rounded to ${formatCents(notice.cents)}.`
      );
    case "not_cached":
      return store + t`${notice.reason} The figures are not cached.`;
    case "no_comparison":
      return store + t`${notice.reason} The report omits the comparison.`;
    case "no_groups":
      return store + t`${notice.reason} The report omits this section.`;
    case "other_sign_in":
      return t`Orders sent before the last sign-in: ${notice.orders}. ${fieldName("resume")} doesn't skip them, because the alias may have meant another store.`;
    case "fallback":
      return t`The sign-in to ${notice.label} no longer works, so comanda uses the API key.`;
    case "guessed_zone":
      return zoneIsGuessed(notice.label, notice.zone);
    case "insecure_tls":
      return t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so anyone on the network can read the store's credentials. Unset it. To add your own certificate authority, set NODE_EXTRA_CA_CERTS.`;
  }
}

/** Returns how many orders have each outcome: `2 done, 1 refused`. A cancellation is only accepted, because it can be undone. */
export function totalsText(action: string, totals: Totals): string {
  const { done, refused, failed, unknown, skipped } = totals;
  const texts = [
    done > 0 && (action === "cancel" ? t`${done} accepted` : t`${done} done`),
    refused > 0 && t`${refused} refused`,
    failed > 0 && t`${failed} failed`,
    unknown > 0 && t`${unknown} unknown`,
    skipped > 0 && t`${skipped} skipped`,
  ];
  return texts.filter(Boolean).join(", ");
}

/**
 * Returns how many requests for figures are planned, and how long they take.
 *
 * @param seconds null if comanda doesn't count requests
 */
export function callsText(calls: number, seconds: number | null): string {
  if (seconds === null) return t`Calls: ${calls} (COMANDA_RATE_LIMITS=off).`;
  return t`Calls: ${calls} (limit: ${rateLimits.summary.limit} per minute). Expected wait: ${duration(seconds)}.`;
}

/** Formats a duration: `45 s`, `1 min 5 s`, `12 min`. */
function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return rest === 0 || minutes >= 10 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
