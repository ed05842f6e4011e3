/** Words for what the core reports while it works: on a terminal in the status line, elsewhere as lines on stderr. */
import { formatCents } from "../api/money.js";
import { rateLimits } from "../api/values.js";
import { suggestion } from "../base/basics.js";
import { steadyNow, type Clock } from "../base/clock.js";
import { fieldName } from "../base/fields.js";
import type { HintFacts } from "../base/hint-facts.js";
import type { Notice, ProgressKinds, Totals } from "../base/notices.js";
import { t, translated } from "../languages/language.js";
import { localTime, zoneIsGuessed } from "./text.js";
import { startProgress, type Output, type Progress } from "./output.js";

/** A longer wait is announced by a line. */
const slowMs = 2_000;

const commandHint = async (facts: HintFacts) => (await import("./hints.js")).hintFor(facts);

/**
 * Returns the function that shows notices, and one that ends what it shows.
 *
 * @param hintOf returns the words of a hint, by default those of the command line
 */
export function createNotifier(
  output: Output,
  clock: Clock,
  hintOf: (facts: HintFacts) => string | Promise<string> = commandHint,
) {
  const { status } = output;
  /** Timers of calls without a response, and the call that the status line names. */
  const timers = new Map<number, NodeJS.Timeout>();
  let shownCall: number | undefined;
  // All calls that wait at the same time are announced by one line. `isPlanned`: waits were announced at the start.
  const waits = { until: Number.NEGATIVE_INFINITY, isPlanned: false, isSlowed: false, retries: 0 };
  let progress: Progress | undefined;
  /** Notices whose words are still being loaded. */
  const pending: Promise<void>[] = [];

  function showCall({ number, isOver }: ProgressKinds["call"]): void {
    clearTimeout(timers.get(number));
    timers.delete(number);
    if (isOver) {
      if (shownCall === number) status.show("answer", undefined);
      status.show("wait", undefined);
      return;
    }
    const say = () => {
      shownCall = number;
      status.show("answer", t`Waiting for the service's response`);
    };
    timers.set(number, setTimeout(say, slowMs).unref());
  }

  function showWait(
    reason: "outage" | Extract<Notice, { readonly type: "wait" }>["reason"],
    ms: number,
    zone?: string,
  ): void {
    const isOutage = reason === "outage";
    const isSlowed = reason === "slowed_down";
    if (isOutage) waits.retries += 1;
    if (status.isShown) {
      const [, ...until] = localTime(clock.now() + ms, zone).split(" ");
      const limit = isSlowed ? t`Slowed down after HTTP 429` : t`Rate limit: until ${until.join(" ")}`;
      status.show("wait", isOutage ? t`Service down, retries: ${waits.retries}` : limit);
      return;
    }
    const isAnnounced = {
      outage: waits.retries > 1,
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

  /** Shows a sentence with the words of its hint. */
  function showWithHint(kind: "notice" | "warn", sentence: string, hintFacts: HintFacts): void {
    const show = async () => output[kind](`${sentence} ${await hintOf(hintFacts)}`);
    pending.push(show());
  }

  function warn(sentence: string, hintFacts?: HintFacts): void {
    if (hintFacts) showWithHint("warn", sentence, hintFacts);
    else output.warn(sentence);
  }

  /** Without a terminal, one line announces a long wait. */
  function showFigures({ calls, answered, leftMs, isOver }: ProgressKinds["figures"]): void {
    if (isOver) endProgress();
    else if (status.isShown && calls > 1) {
      progress ??= startProgress(status, { total: calls, label: t`Figures`, now: () => clock.now() });
      progress.update(
        Math.min(calls, answered),
        leftMs > 0 ? t`about ${duration(Math.ceil(leftMs / 1_000))} left` : "",
      );
    } else if (!status.isShown && answered === 0 && leftMs >= slowMs) {
      waits.isPlanned = true;
      output.notice(callsText(calls, Math.ceil(leftMs / 1_000)));
    }
  }

  /** @param label the store, if there are several */
  function warnOf(label: string | undefined, warning: string): void {
    output.warn(label === undefined ? warning : `${label}: ${warning}`);
  }

  function notify(notice: Notice): void {
    if (notice.type === "wait") showWait(notice.reason, notice.ms, notice.zone);
    else if (notice.type === "retry") showWait("outage", notice.ms);
    else
      switch (notice.about) {
        case "call":
          if (status.isShown) showCall(notice);
          return;
        case "orders": {
          const { action, settled, totals } = notice;
          if (!status.isShown || totals.orders === 1) return;
          progress ??= startProgress(status, {
            total: totals.orders,
            label: translated<string>(action),
            now: () => clock.now(),
          });
          progress.update(settled, totalsText(action, totals));
          if (settled === totals.orders) endProgress();
          return;
        }
        case "figures":
          showFigures(notice);
          return;
        case "comma_in_origin":
          output.notice(
            t`The comma is part of the customer_origin "${notice.value}". To filter by several, use one filter for each.`,
          );
          return;
        case "unlisted_channel": {
          const { value, listed } = notice;
          const sent = t`The sales_channel "${value}" isn't listed, and is sent unchanged.`;
          output.notice(
            `${sent + suggestion(value, listed)} ${t`Listed: ${listed.join(", ")}. Those of marketplaces are stand-ins for the service's own names.`}`,
          );
          return;
        }
        case "rounded":
          warnOf(
            notice.label,
            t`The service returned ${notice.amount}, with more than two decimals. It was rounded to ${formatCents(notice.cents)}.`,
          );
          return;
        case "not_cached":
          warnOf(notice.label, t`${notice.reason} The figures are not cached.`);
          return;
        case "no_comparison":
          warnOf(notice.label, t`${notice.reason} The report omits the comparison.`);
          return;
        case "other_sign_in":
          output.notice(
            t`Orders sent before the last sign-in: ${notice.orders}. ${fieldName("resume")} doesn't skip them, because it may have been to another store.`,
          );
          return;
        case "fallback":
          showWithHint(
            "notice",
            t`The sign-in to ${notice.label} no longer works, so comanda uses its API key.`,
            notice.hintFacts,
          );
          return;
        case "guessed_zone":
          // On another machine, the same command would count different days.
          showWithHint("warn", zoneIsGuessed(notice.label, notice.zone), {
            about: "time_zone",
            store: notice.store,
          });
          return;
        case "insecure_tls":
          output.warn(
            t`NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so anyone on the network can read the store's credentials. Unset it. To add your own certificate authority, set NODE_EXTRA_CA_CERTS.`,
          );
          return;
      }
  }

  function endProgress(): void {
    progress?.end();
    progress = undefined;
  }

  return {
    notify,
    warn,
    end: async (): Promise<void> => {
      await Promise.all(pending);
      endProgress();
      for (const timer of timers.values()) clearTimeout(timer);
      if (waits.retries > 1)
        output.notice(t`Retried ${waits.retries} times: the service was unreachable or failing.`);
    },
  };
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
