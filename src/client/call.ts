/** One call from its request to its outcome: sign, wait for a place, send, judge, and again where that does no harm. */
import { rateLimits } from "../api/values.js";
import { credentialHeaders } from "../api/operations.js";
import { t } from "../languages/language.js";
import { systemClock, unlessAborted } from "./clock.js";
import { ComandaError, isComandaError, type Outcome } from "./errors.js";
import { callError, notSignedIn, thrownError, type CalledOperation, type CallState } from "./explain.js";
import { conclude, decide, isNotDone, judge, judgeFailure } from "./judge.js";
import type { Done, Failed, ReadSuccess } from "./judge.js";
import { neededFor } from "./options.js";
import type { CallOptions, CommandLineOptions, CredentialName, Credentials } from "./options.js";
import type { ObservedAttempt, ObservedCall, Signature, WaitNotice } from "./options.js";
import { createMemoryRateLimiter } from "./rate-limit.js";
import { fetchTransport, isSafe, timerMs, TransportError } from "./transport.js";
import type { HttpAnswer, HttpRequest } from "./transport.js";

/** A call that is ready for its credential. */
export interface BuiltCall<Value = unknown> extends Pick<ObservedCall, "path" | "order"> {
  readonly operation: CalledOperation;
  /** It goes to the path below the base URL. `search` begins with a question mark, where it isn't empty. */
  readonly request: Omit<HttpRequest, "url"> & { readonly search: string };
  readonly read: ReadSuccess<Value>;
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

const programNames = { baseUrl: "baseUrl", timeoutMs: "timeoutMs", maxWaitMs: "maxWaitMs" };

/** The calls of one client. */
export function createCaller(baseUrl: string, client: CommandLineOptions) {
  const { credentials, transport = fetchTransport(client.fetch), observer, stopping, onWait } = client;
  const { observers = observer ? [observer] : [], optionNames = programNames } = client;
  const { clock = systemClock, random = Math.random, maxWaitMs = 300_000 } = client;
  const limiter = client.rateLimiter ?? createMemoryRateLimiter(clock);
  const signaturesFor = createSigner(credentials, client.onFallback);
  let calls = 0;

  return async function call<Value>(
    { operation, path, order, read, request: built }: BuiltCall<Value>,
    { signal, timeoutMs = client.timeoutMs, maxRetries = client.maxRetries ?? 3 }: CallOptions = {},
  ): Promise<Result<Value>> {
    const { headers: plainHeaders, search, ...parts } = built;
    const shown = { ...parts, url: baseUrl + path + search };
    const isWrite = !isSafe(built);
    const facts = { operation: operation.id, method: built.method, path, orderId: order };
    // With such a one a write goes out and is given up at once, and nobody knows what became of it.
    if (timeoutMs !== undefined && !(timeoutMs > 0))
      throw new ComandaError("invalid_input", t`timeoutMs must be above 0.`, {
        ...facts,
        field: "timeoutMs",
      });
    const request = {
      ...shown,
      headers: plainHeaders,
      timeoutMs: timerMs(timeoutMs),
      ...(signal && { signal }),
      ...(isWrite && stopping && stopping.signal === signal && { grace: stopping.grace }),
    };
    calls += 1;
    const observed: ObservedCall = { ...shown, number: calls, operation: operation.id, path, order };
    const state: CallState = {
      operation,
      request,
      credentials,
      optionNames,
      facts,
      signatures: [],
      verdict: {
        outcome: "failed",
        httpStatus: null,
        code: null,
        serviceCode: null,
        evidence: null,
        attempts: 0,
        value: null,
      },
      doubt: undefined,
    };
    const announce = (reason: WaitNotice["reason"], ms: number) =>
      onWait?.({ reason, ms, operation: operation.id, attempts: state.verdict.attempts });

    /** May a part of the latest request have left this machine? */
    let sent = false;

    /** Sends one request, which the observers are told of before and after. */
    async function attempt({ signature, secrets }: Signed): Promise<Done<Value> | Failed> {
      sent = false;
      signal?.throwIfAborted();
      const attempts = state.verdict.attempts + 1;
      const about = { attempt: attempts, credential: signature };
      for (const each of observers) await each.sends?.(observed, about);
      const since = clock.now();
      let judged: Done<Value> | Failed;
      let refusal: ComandaError | undefined;
      try {
        const headers: Record<string, string> = {};
        for (const name of neededFor[signature])
          headers[headerOf[name]] = (name === "bearer" ? "Bearer " : "") + (secrets[name] ?? "");
        // Last, since to add to a copy is slow in Node 20; no header of a request has the name of a credential's.
        Object.assign(headers, { accept: "application/json", "user-agent": "comanda" }, plainHeaders);
        const answer = await transport.send({ ...request, headers });
        // An answer that quotes a credential back must not carry it into an error or onto a terminal. The body of a success is
        // the caller's, as it came.
        const hide = (text: string) => {
          let shown = text;
          for (const secret of Object.values(secrets)) shown = shown.replaceAll(secret, "****");
          return shown;
        };
        const shown: Record<string, string> = {};
        for (const [name, value] of Object.entries(answer.headers)) shown[name] = hide(value);
        const cookies = answer.setCookies && { setCookies: answer.setCookies.map(hide) };
        judged = judge({ ...answer, headers: shown, ...cookies }, read);
        if (judged.code !== null) {
          const { serviceMessage: message, details } = judged;
          judged = { ...judged, serviceMessage: message && hide(message), details: details && hide(details) };
        }
      } catch (error) {
        // Our own transports refuse a request before it goes out.
        if (error instanceof ComandaError) refusal = error;
        const thrown =
          error instanceof TransportError
            ? error
            : new TransportError("reset", !refusal, t`the transport failed`, { cause: error });
        judged = { ...judgeFailure(thrown), ...(refusal && { code: refusal.code }) };
      }
      if (judged.code !== null && isWrite && !isNotDone(judged)) state.doubt = judged;
      const { answer, failure: lost } = judged;
      sent = lost?.sent ?? true;
      const { outcome, httpStatus, code, serviceCode, evidence } =
        judged.code === null
          ? { ...done, httpStatus: judged.answer.status }
          : conclude(operation.id, judged, state.doubt);
      // Of a request that never went out nobody says anything: the word on the one before it stands.
      const word = evidence ?? state.verdict.evidence;
      const verdict = { outcome, httpStatus, code, serviceCode, evidence: word, attempts, value: null };
      state.verdict = verdict;
      const told: ObservedAttempt = {
        ...about,
        ms: clock.now() - since,
        sent,
        ...(answer && { answer }),
        ...(lost && { failure: lost.failure }),
        verdict,
      };
      for (const each of observers) await each.attempted?.(observed, told);
      if (refusal) throw refusal;
      return judged;
    }

    /** @returns the error of a request that isn't sent again */
    async function untilDone(): Promise<Result<Value> | ComandaError> {
      signal?.throwIfAborted();
      for (const each of observers) await each.begins?.(observed);
      const bucket = operation.bucket ?? "general";
      let [repeats, waits, waitedMs] = [0, 0, 0];
      let last: Failed | undefined;
      for await (const signed of signaturesFor(operation.credentials, signal)) {
        state.signatures = [...new Set([signed.signature, ...state.signatures])];
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
          let judged: Done<Value> | Failed;
          try {
            judged = await attempt(signed);
          } finally {
            await (permit && permit.settle(sent));
          }
          if (judged.code === null) {
            const { status: httpStatus, body: raw, ...head } = judged.answer;
            const { attempts } = state.verdict;
            return { ...done, httpStatus, attempts, value: judged.value, raw, ...head };
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
          if (kind === undefined || (kind !== "repeat" && waitedMs > maxWaitMs))
            return callError(state, last);
          announce(kind === "wait" ? "rate_limited" : "no_answer", afterMs);
          await clock.sleep(afterMs, signal);
        }
      }
      return last ? callError(state, last) : notSignedIn(state);
    }

    let result: Result<Value> | ComandaError | undefined;
    try {
      try {
        result = await untilDone();
      } finally {
        for (const each of observers) await each.ended?.(observed, state.verdict.outcome);
      }
    } catch (error) {
      // What the call came to says more than what came of telling it.
      if (!(result instanceof ComandaError)) result = thrownError(state, error);
    }
    if (result instanceof ComandaError) throw result;
    return result;
  };
}

const done = { outcome: "done", code: null, serviceCode: null, evidence: "api" } as const;

/** What signs a request. */
interface Signed {
  readonly signature: Signature;
  readonly secrets: Readonly<Partial<Record<CredentialName, string>>>;
}

const headerOf: Readonly<Record<CredentialName, string>> = {
  bearer: credentialHeaders.bearer,
  apiKey: credentialHeaders.api_key,
  partnerKey: credentialHeaders.partner_key,
};

function createSigner(credentials: Credentials, onFallback: (() => void) | undefined) {
  /** What has taken the place of a refused token. */
  const renewed = new Map<string, string>();
  const renewals = new Map<string, Promise<string | undefined>>();
  let bearerIsRefused = false;

  /**
   * Joins the renewal of this token that is running, or begins one. A service that rotates refresh tokens takes a second use
   * of one for theft, and ends the sign-in (RFC 9700, section 4.14.2). A renewal that fails, fails for all who wait for it;
   * the next call begins another.
   */
  function renew(refused: string): Promise<string | undefined> {
    const ask = async () => {
      const token = sendable(await credentials.renew?.(refused));
      if (token === undefined || token === refused) return undefined;
      // It is good again, whatever took its place before: so no chain of replacements is a circle.
      renewed.delete(token);
      renewed.set(refused, token);
      return token;
    };
    const renewal = renewals.get(refused) ?? ask().finally(() => renewals.delete(refused));
    renewals.set(refused, renewal);
    return renewal;
  }

  /** @returns the first of them that the store has all secrets of */
  async function choose(order: readonly Signature[], signal: AbortSignal | undefined) {
    for (const signature of order) {
      const secrets: Partial<Record<CredentialName, string>> = {};
      for (const name of neededFor[signature]) {
        const given = Promise.resolve(credentials[name]?.());
        const secret = sendable(await unlessAborted(signal, given));
        if (secret !== undefined) secrets[name] = secret;
      }
      if (Object.keys(secrets).length === neededFor[signature].length) return { signature, secrets };
    }
    return undefined;
  }

  /**
   * Gives what a call is signed with, and, as long as that is refused, what it is sent again with: the token that another call
   * has got meanwhile, then a new one. Where that is refused too, a call that may be signed with something else is sent with
   * that, and so are all such calls from then on: only the Owner could renew the sign-in, and the store's orders keep moving.
   * A refusal (HTTP 401) comes before anything was done, so that this repeats nothing.
   *
   * @param order of preference; the access token comes first where a call takes it
   * @throws {ComandaError} `not_signed_in` for a secret that can't be sent
   * @throws what the credentials throw, and the signal's reason
   */
  return async function* signaturesFor(
    order: readonly Signature[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Signed> {
    const takesEither = order[0] === "bearer" && order.length > 1;
    let refusal: ComandaError | undefined;
    if (!bearerIsRefused || !takesEither) {
      try {
        const first: Signed | undefined = await choose(order, signal);
        if (!first) return;
        yield first;
        let { bearer } = first.secrets;
        if (bearer === undefined) return;
        for (let next: string | undefined; (next = renewed.get(bearer)) !== undefined;) bearer = next;
        if (bearer !== first.secrets.bearer) yield { signature: "bearer", secrets: { bearer } };
        // Another process may have renewed it before: what is refused all the same is renewed in its turn, once.
        for (let turn = 0; turn === 0 || (turn === 1 && credentials.isAdopted?.(bearer)); turn += 1) {
          bearer = await unlessAborted(signal, renew(bearer));
          if (bearer === undefined) break;
          yield { signature: "bearer", secrets: { bearer } };
        }
      } catch (error) {
        // There is none to be had any more; nothing was sent.
        if (!takesEither || !isComandaError(error, "token_refused")) throw error;
        refusal = error;
      }
      if (!takesEither) return;
    }
    const instead = await choose(order.slice(1), signal);
    if (instead) {
      if (!bearerIsRefused) onFallback?.();
      bearerIsRefused = true;
      yield instead;
    } else if (refusal !== undefined) throw refusal;
  };
}

/** Anything else can't travel in a header as one line (RFC 9110, section 5.5). */
const headerSafe = /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/;

/**
 * @returns `undefined` where there is none; what an environment variable or a database has for that counts as none
 * @throws {ComandaError} `not_signed_in`
 */
function sendable(secret: unknown): string | undefined {
  if (secret === undefined || secret === null || secret === "") return undefined;
  if (typeof secret === "string" && headerSafe.test(secret)) return secret;
  throw new ComandaError("not_signed_in", t`The credential holds characters that can't be sent.`, {
    hint: t`It must be one line of ASCII, as the service gave it.`,
  });
}
