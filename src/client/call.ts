/** A call is a list of attempts: sign, wait for a slot, record, send, judge, and decide on the next one. */
import { rateLimits } from "../api/values.js";
import { credentialKinds, schemeTable } from "../api/operations.js";
import { t } from "../languages/language.js";
import { steadyNow, systemClock, unlessAborted } from "../base/clock.js";
import { defaults, version } from "../base/defaults.js";
import { ComandaError, completeHint, type Outcome } from "../base/errors.js";
import { callError, thrownError, type CallState } from "./explain.js";
import { conclude, done, judge, judgeFailure, nextStep } from "./judge.js";
import type { Attempt, CalledOperation, NextStep, ReadSuccess, Signature } from "./judge.js";
import { CallbackError, callFields, callLimited, checkOptions, inputError } from "./options.js";
import type { CallOptions, InternalOptions, ObservedCall, Permit, WaitNotice } from "./options.js";
import { createMemoryRateLimiter } from "./rate-limit.js";
import { createSigner } from "./signer.js";
import { fetchTransport, isSafe, timerMs, TransportError } from "./transport.js";
import type { HttpRequest, HttpResponse } from "./transport.js";

/** A call that is ready for its credential. */
export interface BuiltCall<Value = unknown> extends Pick<ObservedCall, "path" | "order"> {
  readonly operation: CalledOperation;
  /** `search` is empty or begins with a question mark. */
  readonly request: Omit<HttpRequest, "url"> & { readonly search: string };
  readonly read: ReadSuccess<Value>;
}

/** The outcome of a call that is done, with its response. */
export interface Result<Value> extends Outcome<Value> {
  readonly outcome: "done";
  readonly httpStatus: number;
  readonly code: null;
  readonly serviceCode: null;
  readonly value: Value;
  /** The body exactly as the service sent it, with undocumented fields and every digit of an amount. */
  readonly raw: string;
  /** Names in lower case. Our own credentials are masked. */
  readonly headers: HttpResponse["headers"];
  readonly setCookies?: readonly string[] | undefined;
}

/** A running call. Only `attempts`, `leftMs` and the last three change. */
interface Call<Value> extends CallState, Pick<CallOptions, "beforeSending"> {
  readonly request: HttpRequest & { readonly timeoutMs: number };
  readonly read: ReadSuccess<Value>;
  readonly attempts: Attempt<Value>[];
  readonly maxRetries: number;
  readonly maxWaitMs: number;
  /** Milliseconds spent on rate limits, and on pauses that the service requested. */
  waitedMs: number;
  /** A function of the program took too long. Later ones are called, but no longer awaited. */
  isLate: boolean;
  /** The first error of a function that follows a response. */
  followError?: { readonly thrown: unknown };
}

/** Returns the function that makes the calls of one client. */
export function createCaller(baseUrl: string, client: InternalOptions) {
  const { credentials, transport = fetchTransport(client.fetch), observer, journal, stopping } = client;
  const { clock = systemClock, random = Math.random, userAgent = "" } = client;
  const agent = `${userAgent} comanda/${version}`.trim();
  const limiter = client.rateLimiter ?? createMemoryRateLimiter(clock);
  const signaturesOf = createSigner(credentials, client.onFallback);
  let calls = 0;

  /** Calls a function of the program within the limits of the call, plus `moreMs`. */
  async function guarded<Given>(
    call: Call<unknown>,
    name: string,
    work: () => Given | Promise<Given>,
    moreMs = 0,
  ): Promise<Given> {
    const { signal, timeoutMs } = call.request;
    const limits = call.isLate ? { timeoutMs: 0 } : { signal, timeoutMs: timeoutMs + moreMs };
    try {
      return await (client.hintOf ? callLimited(name, limits, work) : work());
    } catch (error) {
      if (error instanceof CallbackError && error.isLate) call.isLate = true;
      throw error;
    }
  }

  /**
   * Calls a function that follows a response. Later ones are called even if it fails, and the call goes on without it if it takes too
   * long.
   */
  async function follow(call: Call<unknown>, name: string, work: () => unknown) {
    try {
      await guarded(call, name, work);
    } catch (thrown) {
      const isLate = thrown instanceof CallbackError && thrown.isLate;
      if (!isLate) call.followError ??= { thrown };
    }
  }

  /** Returns the result, or the error of a call that ends without one. */
  async function run<Value>(call: Call<Value>): Promise<Result<Value> | ComandaError> {
    const { operation, observed, attempts } = call;
    const record = isSafe(operation) ? undefined : journal;
    const { signal } = call.request;
    const { windowMs } = rateLimits[operation.bucket];
    signal?.throwIfAborted();
    const signatures = signaturesOf(operation.credentials, (name, work) =>
      guarded(call, name, () => unlessAborted(signal, Promise.resolve(work()))),
    );
    for await (const signature of signatures)
      for (;;) {
        const about = { attempt: attempts.length + 1, credential: signature.scheme };
        const slot = await waitForSlot(call);
        try {
          signal?.throwIfAborted();
          await guarded(call, "observer.sends", () => observer?.sends?.(observed, about));
          await call.beforeSending?.();
          // The row of a change is stored before the first byte is sent. After that, nothing refuses the request.
          await guarded(call, "journal.willSend", () => record?.willSend(observed, about));
        } catch (error) {
          // This error explains why nothing was sent.
          await follow(call, "rateLimiter.acquire.settle", () => slot?.settle(false));
          throw error;
        }
        const since = steadyNow(systemClock);
        const judged = await send(call, signature);
        const ms = steadyNow(systemClock) - since;
        attempts.push({ signature, judged });
        const { response: answer, failure: lost } = judged;
        const sent = lost?.sent ?? true;
        const { outcome: verdict } = conclude(operation, attempts);
        const seen = { ...about, ms, sent, answer, failure: lost?.failure, verdict };
        await follow(call, "journal.attempted", () => record?.attempted(observed, seen));
        await follow(call, "observer.attempted", () => observer?.attempted?.(observed, seen));
        await follow(call, "rateLimiter.acquire.settle", () => slot?.settle(sent));
        if (call.followError) throw call.followError.thrown;
        if (judged.code === null) {
          const { value, raw, response } = judged;
          const { status: httpStatus, headers, setCookies } = response;
          return { ...done, httpStatus, attempts: attempts.length, value, raw, headers, setCookies };
        }
        if (judged.rejection) throw judged.rejection;
        const draw = await guarded(call, "random", random);
        const step = nextStep(operation, attempts, { ...call, windowMs, random: draw });
        if (!step || !(await mayGoOn(call, step))) return callError(call);
        if (step.kind === "sign") break;
      }
    return callError(call);
  }

  async function send<Value>(call: Call<Value>, signature: Signature): Promise<Attempt<Value>["judged"]> {
    const headers: Record<string, string> = {};
    for (const kind of schemeTable[signature.scheme].kinds) {
      const { header, prefix } = credentialKinds[kind];
      headers[header] = prefix + (signature.secrets[kind] ?? "");
    }
    // These come last, because Node 20 is slow to add to a copy. No request sets a credential's header.
    Object.assign(headers, { accept: "application/json", "user-agent": agent }, call.request.headers);
    // A page that quotes our own credentials may be printed or logged.
    const mask = (text: string) => {
      let shown = text;
      for (const secret of Object.values(signature.secrets)) shown = shown.replaceAll(secret, "****");
      return shown;
    };
    try {
      return judge(await transport.send({ ...call.request, headers }), call.read, Date.now(), mask);
    } catch (error) {
      if (error instanceof TransportError) return judgeFailure(error);
      // Our own transports throw a `ComandaError` if they reject a request before sending it. Any other error, also one while the
      // response is judged, leaves open what the service did.
      const rejection = error instanceof ComandaError ? error : undefined;
      const failure = new TransportError("reset", !rejection, t`the transport failed`, { cause: error });
      return { ...judgeFailure(failure), ...(rejection && { code: rejection.code, rejection }) };
    }
  }

  async function waitForSlot<Value>(call: Call<Value>) {
    if (!limiter) return undefined;
    const now = () => guarded(call, "clock.now", () => clock.now());
    const since = await now();
    const { signal } = call.request;
    const announced: Promise<void>[] = [];
    const mostMs = Math.max(0, call.maxWaitMs - call.waitedMs);
    let acquired: Promise<Permit> | undefined;
    const acquire = () => {
      acquired = Promise.resolve(
        limiter.acquire(call.operation.bucket, {
          signal,
          maxWaitMs: mostMs,
          onWait: (ms, reason = "rate_limit") => {
            const announcement = announce(call, reason, ms);
            // Some limiters don't await it. It is awaited below, and until then a rejection would end the process.
            announcement.catch(() => undefined);
            announced.push(announcement);
            return announcement;
          },
        }),
      );
      return unlessAborted(signal, acquired);
    };
    try {
      const slot = await guarded(call, "rateLimiter.acquire", acquire, mostMs);
      call.waitedMs += Math.max(0, (await now()) - since);
      await Promise.all(announced);
      return slot;
    } catch (error) {
      // A slot that isn't used is free again, also if it arrives later.
      acquired?.then((unused) => unused.settle(false)).catch(() => undefined);
      throw error;
    }
  }

  /** Waits until the next attempt, and returns false if that would take longer than the call may wait. */
  async function mayGoOn<Value>(call: Call<Value>, { kind, afterMs }: NextStep): Promise<boolean> {
    if (kind === "wait" && limiter) {
      const { bucket } = call.operation;
      await follow(call, "rateLimiter.blocked", () => limiter.blocked(bucket, afterMs));
      if (call.followError) throw call.followError.thrown;
    }
    if (call.isLate) return false;
    if (kind === "sign") return true;
    if (kind !== "repeat") call.waitedMs += afterMs;
    if (kind !== "repeat" && call.waitedMs > call.maxWaitMs) {
      call.leftMs = afterMs;
      return false;
    }
    await announce(call, kind === "wait" ? "rate_limited" : "no_answer", afterMs);
    await guarded(call, "clock.sleep", () => clock.sleep(afterMs, call.request.signal), afterMs);
    return true;
  }

  async function announce(call: Call<unknown>, reason: WaitNotice["reason"], ms: number): Promise<void> {
    const notice = { reason, ms, operation: call.operation.id, attempts: call.attempts.length };
    await guarded(call, "onWait", () => client.onWait?.(notice));
  }

  return async function call<Value>(
    { operation, path, order, read, request: built }: BuiltCall<Value>,
    options: CallOptions = {},
  ): Promise<Result<Value>> {
    try {
      if (client.hintOf) checkOptions(options, callFields());
    } catch (error) {
      throw inputError(error, { id: operation.id, method: built.method, path });
    }
    const { signal, timeoutMs = client.timeoutMs, beforeSending } = options;
    const { headers, search, ...parts } = built;
    const shown = { ...parts, url: baseUrl + path + search };
    const isPatient = !isSafe(built) && stopping && stopping.signal === signal;
    calls += 1;
    const call: Call<Value> = {
      operation,
      request: {
        ...shown,
        headers,
        // A program's transport may set a timer.
        timeoutMs: timerMs(timeoutMs),
        ...(signal && { signal }),
        ...(isPatient && { grace: stopping.grace }),
      },
      observed: { ...shown, number: calls, operation: operation.id, path, order },
      read,
      attempts: [],
      maxRetries: options.maxRetries ?? client.maxRetries ?? defaults.maxRetries,
      maxWaitMs: options.maxWaitMs ?? client.maxWaitMs ?? defaults.maxWaitMs,
      beforeSending,
      waitedMs: 0,
      isLate: false,
      signedStore: credentials.signedStore,
    };
    let result = await run(call).catch((error: unknown) => thrownError(call, error));
    await follow(call, "journal.ended", () => journal?.ended(call.observed));
    const { followError } = call;
    if (followError && !(result instanceof ComandaError)) result = thrownError(call, followError.thrown);
    if (!(result instanceof ComandaError)) return result;
    throw client.hintOf ? completeHint(result, client.hintOf) : result;
  };
}
