/** One call from its request to its outcome: sign, wait for a place, send, judge, and again where that does no harm. */
import { rateLimits } from "../api/values.js";
import { t } from "../languages/language.js";
import { systemClock, type Clock } from "./clock.js";
import { createSigner, signedHeaders, type Credentials, type Signed } from "./credentials.js";
import { ComandaError, type Outcome } from "./errors.js";
import { callError, notSignedIn, thrownError, type CallState, type OptionNames } from "./explain.js";
import { fetchTransport, type Fetch } from "./fetch.js";
import { conclude, isNotDone, judge, judgeFailure, type Done, type Failed } from "./judge.js";
import type { CallObserver, ObservedAttempt, ObservedCall, WaitNotice } from "./observer.js";
import { createMemoryRateLimiter, type RateLimiter } from "./rate-limit.js";
import type { BuiltCall } from "./request.js";
import { decide } from "./retry.js";
import { isSafe, timerMs, TransportError, type HttpAnswer, type Transport } from "./transport.js";

export interface ClientOptions {
  /**
   * The API host of one environment, the `base_url` of the specification, for example `https://api.service.example`.
   * It may carry a path prefix. `http:` for this machine alone.
   */
  readonly baseUrl: string;
  /**
   * Allows `http:` to another machine, such as an emulator in a container of its own. Credentials and orders go out in the
   * clear, so it is for tests alone. Default false.
   */
  readonly allowInsecure?: boolean;
  /** One function for each credential that the store has (section 5.1); each call asks for the one that it takes. */
  readonly credentials: Credentials;
  /**
   * Requests go through this `fetch`: one with a proxy or tracing, a test's. It may have sent a request more than once, so every
   * failure counts as one after sending. Default: the platform's, also where that is replaced later.
   */
  readonly fetch?: Fetch;
  /** Requests go through this transport instead: one of `createTransport` of `comanda/node`. It is yours to close. */
  readonly transport?: Transport;
  /**
   * Holds requests back before the service's limits are reached (section 8). Share one between the clients of one
   * store. Default: one of this client's own, in memory. `false`: none; the service remains the authority.
   */
  readonly rateLimiter?: RateLimiter | false;
  /** The time, and what waits between attempts; for tests. Default: the system's. */
  readonly clock?: Clock;
  /** At least 0 and below 1; spreads the pauses between attempts. Default `Math.random`. */
  readonly random?: () => number;
  /**
   * Milliseconds that one call may spend waiting on rate limits, its own and the service's, and for a service that says
   * with a 5xx when it is back. At least 0; default 300,000. With 0 a call fails at once, as `rate_limited`; with
   * `Infinity` it waits as long as it takes.
   */
  readonly maxWaitMs?: number;
  /**
   * Milliseconds for one exchange, connecting included; a call that is repeated has as many for each. Above 0;
   * default 30,000. `Infinity`, and whatever is above 24.8 days, comes to 24.8 days.
   */
  readonly timeoutMs?: number;
  /**
   * A call may be repeated this often after a failure, where that does no harm; a wait on a rate limit doesn't count.
   * A whole number of at least 0, or `Infinity`; default 3.
   */
  readonly maxRetries?: number;
  /** Told before each wait, with its length. */
  readonly onWait?: (notice: WaitNotice) => void;
  /** Told of each call, from the moment that its request is built: it may refuse it, or write it down. */
  readonly observer?: CallObserver;
  /** Told once, when the access token works no more and calls that take the API key too are sent with that from then on. */
  readonly onFallback?: () => void;
}

/** The command line's own client speaks of flags, and ends as a person stops it. */
export interface CommandLineOptions extends ClientOptions {
  /** In place of {@link observer}, told in this order. */
  readonly observers?: readonly CallObserver[];
  readonly optionNames?: OptionNames;
  /**
   * A program that is told to stop by `signal` learns what became of the writes that are sent with it: the answers to those that
   * are out are awaited, until `grace` comes.
   */
  readonly stopping?: { readonly signal: AbortSignal; readonly grace: AbortSignal };
}

export interface CallOptions {
  /**
   * Ends the call, whatever it is waiting for: a credential, a rate limit, a pause, the service. The error is
   * `outcome_unknown` for a write that was sent, `interrupted` for all else; its `cause` is the signal's reason.
   */
  readonly signal?: AbortSignal;
  /** In place of the client's. */
  readonly timeoutMs?: number;
  /** In place of the client's. */
  readonly maxRetries?: number;
}

/** A call that is done: its outcome, and the answer that it was read from. */
export interface Result<Value> extends Outcome<Value> {
  readonly outcome: "done";
  readonly httpStatus: number;
  readonly code: null;
  readonly serviceCode: null;
  readonly value: Value;
  /** The body exactly as the service sent it: fields that are not documented, and amounts to the last digit. */
  readonly raw: string;
  /** By lower-case names; our own credentials are masked. */
  readonly headers: HttpAnswer["headers"];
  readonly setCookies?: readonly string[];
}

const programNames: OptionNames = { baseUrl: "baseUrl", timeoutMs: "timeoutMs", maxWaitMs: "maxWaitMs" };

/** The calls of one client. */
export function createCaller(client: CommandLineOptions) {
  const { credentials, transport = fetchTransport(client.fetch), observer, stopping, onWait } = client;
  const { observers = observer ? [observer] : [], optionNames = programNames } = client;
  const { clock = systemClock, random = Math.random, maxWaitMs = 300_000 } = client;
  const limiter = client.rateLimiter ?? createMemoryRateLimiter(clock);
  const signaturesFor = createSigner(credentials, client.onFallback);
  let calls = 0;

  return async <Value>(built: BuiltCall<Value>, options: CallOptions): Promise<Result<Value>> => {
    const { operation, path, order, read } = built;
    const { method, url, body } = built.request;
    const { signal, timeoutMs = client.timeoutMs, maxRetries = client.maxRetries ?? 3 } = options;
    const isWrite = !isSafe(built.request);
    const request = {
      ...built.request,
      timeoutMs: timerMs(timeoutMs),
      ...(signal && { signal }),
      ...(isWrite && stopping && stopping.signal === signal && { grace: stopping.grace }),
    };
    calls += 1;
    const observed: ObservedCall = {
      number: calls,
      operation: operation.id,
      path,
      order,
      method,
      url,
      ...(body !== undefined && { body }),
    };
    const call: CallState = {
      operation,
      request,
      observed,
      credentials,
      optionNames,
      attempts: 0,
      signatures: [],
      verdict: undefined,
      doubt: undefined,
    };
    const bucket = operation.bucket ?? "general";
    let [repeats, waits, waitedMs] = [0, 0, 0];
    let failure: ComandaError | undefined;
    const failed = (last: Failed) =>
      (failure = callError(call, conclude(operation.id, last, call.doubt), last));
    const announce = (reason: WaitNotice["reason"], ms: number) =>
      onWait?.({ reason, ms, operation: operation.id, attempts: call.attempts });

    /** Sends one request, which the observers are told of before and after. */
    async function attempt(signed: Signed): Promise<Done<Value> | Failed> {
      signal?.throwIfAborted();
      const about = { attempt: call.attempts + 1, credential: signed.signature };
      for (const each of observers) await each.sends?.(observed, about);
      const since = clock.now();
      call.attempts += 1;
      let judged: Done<Value> | Failed;
      let refusal: ComandaError | undefined;
      try {
        const headers = signedHeaders(request.headers, signed);
        judged = masked(judge(await transport.send({ ...request, headers }), read), signed);
      } catch (error) {
        // Our own transports refuse a request before it goes out.
        if (error instanceof ComandaError) refusal = error;
        const thrown =
          error instanceof TransportError
            ? error
            : new TransportError("reset", !refusal, t`the transport failed`, { cause: error });
        judged = { ...judgeFailure(thrown), ...(refusal && { code: refusal.code }) };
      }
      if (judged.code !== null && isWrite && !isNotDone(judged)) call.doubt = judged;
      const { outcome, httpStatus, code, serviceCode, evidence } =
        judged.code === null ? doneBy(judged) : conclude(operation.id, judged, call.doubt);
      const { attempts, verdict: before } = call;
      // A request that never went out changes nothing of what earlier ones have come to.
      const word = evidence ?? before?.evidence ?? null;
      const verdict = { outcome, httpStatus, code, serviceCode, evidence: word, attempts, value: null };
      call.verdict = verdict;
      const { answer, failure: lost } = judged;
      const told: ObservedAttempt = {
        ...about,
        ms: clock.now() - since,
        sent: lost?.sent ?? true,
        ...(answer && { answer }),
        ...(lost && { failure: lost.failure }),
        verdict,
      };
      for (const each of observers) each.attempted?.(observed, told);
      if (refusal) throw refusal;
      return judged;
    }

    async function untilDone(): Promise<Result<Value>> {
      signal?.throwIfAborted();
      for (const each of observers) await each.begins?.(observed);
      let last: Failed | undefined;
      for await (const signed of signaturesFor(operation.credentials, signal)) {
        call.signatures = [...new Set([signed.signature, ...call.signatures])];
        for (;;) {
          const since = clock.now();
          const permit =
            limiter &&
            (await limiter.acquire(bucket, {
              signal,
              maxWaitMs: Math.max(0, maxWaitMs - waitedMs),
              onWait: (ms) => announce("rate_limit", ms),
            }));
          waitedMs += Math.max(0, clock.now() - since);
          let judged: Done<Value> | Failed | undefined;
          try {
            judged = await attempt(signed);
          } finally {
            await (permit && permit.settle(judged?.failure?.sent ?? true));
          }
          if (judged.code === null) {
            const { headers, setCookies, body: raw } = judged.answer;
            const { attempts } = call;
            return {
              ...doneBy(judged),
              attempts,
              value: judged.value,
              raw,
              headers,
              ...(setCookies && { setCookies }),
            };
          }
          last = judged;
          if (last.code === "token_refused") break;
          const decision = decide({
            last,
            repeatable: operation.repeatable,
            repeats,
            maxRepeats: maxRetries,
            waits,
            windowMs: rateLimits[bucket].windowMs,
            random: random(),
            now: clock.now(),
          });
          const { kind, afterMs = 0 } = decision ?? {};
          if (kind === "wait") {
            waits += 1;
            await (limiter && limiter.blocked(bucket, afterMs));
          } else repeats += 1;
          if (kind !== "repeat") waitedMs += afterMs;
          if (kind === undefined || (kind !== "repeat" && waitedMs > maxWaitMs)) throw failed(last);
          announce(kind === "wait" ? "rate_limited" : "no_answer", afterMs);
          await clock.sleep(afterMs, signal);
        }
      }
      throw last ? failed(last) : notSignedIn(operation, credentials);
    }

    try {
      try {
        return await untilDone();
      } finally {
        const outcome = call.verdict?.outcome ?? "failed";
        for (const each of observers) await each.ended?.(observed, outcome);
      }
    } catch (error) {
      throw failure ?? thrownError(call, error);
    }
  };
}

function doneBy({ answer }: Done<unknown>) {
  const httpStatus = answer.status;
  return { outcome: "done", httpStatus, code: null, serviceCode: null, evidence: "api" } as const;
}

/**
 * An answer that quotes a credential back must not carry it into an error or onto a terminal. The body of a success is the
 * caller's, as it came.
 */
function masked<Judged extends Done<unknown> | Failed>(judged: Judged, { secrets }: Signed): Judged {
  const hide = (text: string) =>
    Object.values(secrets).reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
  const { answer, code } = judged;
  const { headers = {}, setCookies } = answer ?? {};
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
  return {
    ...judged,
    ...(answer && {
      answer: { ...answer, headers: shown, ...(setCookies && { setCookies: setCookies.map(hide) }) },
    }),
    ...(code !== null && {
      serviceMessage: judged.serviceMessage && hide(judged.serviceMessage),
      details: judged.details && hide(judged.details),
    }),
  };
}
