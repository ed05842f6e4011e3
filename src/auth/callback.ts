/**
 * The redirect address and the service's answer that comes to it (section 5.2, step 3): where the browser must come back
 * to, which request or pasted line answers the sign-in, and the wait for the first that does.
 */
import * as z from "zod/mini";

import { tokenSchema } from "../api/oauth.js";
import type { Clock } from "../client/clock.js";
import { ComandaError } from "../client/errors.js";
import { t, translated } from "../languages/language.js";
import { isLoopbackHost } from "../api/loopback.js";
import type { Environment } from "../state/sessions/session.js";

export interface RedirectAddress {
  /** The address as the app registered it, to the letter. */
  readonly uri: string;
  /** Scheme, host, port and path, for comparing a pasted address. */
  readonly base: string;
  /** The `Host` header that a browser sends there. */
  readonly host: string;
  readonly path: string;
  /** The address's own query comes back beside the service's parameters. */
  readonly query: URLSearchParams;
  /** Absent where this machine can't listen at the address. */
  readonly listen?: { readonly port: number; readonly addresses: readonly string[] };
}

/** The service adds these: RFC 6749, 4.1.2, and RFC 9207. */
const responseParameters = ["code", "state", "error", "error_description", "error_uri", "iss"];

/** @throws {ComandaError} `configuration` where the address can't take an answer */
export function parseRedirectAddress({ name, redirect_uri }: Environment): RedirectAddress {
  const unusable = (problem: string) =>
    new ComandaError("configuration", t`The redirect_uri of the environment ${name} ${problem}.`, {
      hint: t`Set the registered one: comanda env set ${name} --redirect-uri <uri> …`,
    });
  if (!URL.canParse(redirect_uri)) throw unusable(t`is not a URL`);
  const url = new URL(redirect_uri);
  // RFC 6749, section 3.1.2.
  if (url.hash !== "") throw unusable(t`has a fragment, which a redirect address can't have`);
  const conflict = responseParameters.find((parameter) => url.searchParams.has(parameter));
  if (conflict !== undefined) throw unusable(t`has a ${conflict} of its own, which only the service may set`);
  return {
    uri: redirect_uri,
    base: baseOf(url),
    host: url.host,
    path: url.pathname,
    query: url.searchParams,
    // Without a certificate nothing can listen for `https:`.
    ...(url.protocol === "http:" && isLoopbackHost(url.hostname)
      ? { listen: { port: Number(url.port || "80"), addresses: loopbackAddresses(url.hostname) } }
      : {}),
  };
}

/** `URL.origin` would be `null` for an app's own scheme. */
function baseOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/**
 * A browser may take `localhost` to either of two addresses.
 *
 * @param hostname as `URL.hostname` has it: lower case, IPv6 in brackets
 */
export function loopbackAddresses(hostname: string): readonly string[] {
  if (hostname === "localhost") return ["127.0.0.1", "::1"];
  return [hostname.replace(/^\[(.*)\]$/, "$1")];
}

export interface PendingCallback {
  readonly address: RedirectAddress;
  readonly state: string;
}

/** The service's answer to the sign-in. */
export type Callback =
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "error"; readonly error: string; readonly description: string | undefined };

/** The parameters are no answer to the sign-in, so the wait goes on. */
export interface NoCallback {
  readonly kind: "none";
  readonly reason: "wrong_state" | "wrong_address" | "repeated" | "incomplete";
}

/**
 * State is checked before anything else: without it any web page could end a sign-in with an image tag.
 * Parameters that nobody knows are ignored (RFC 6749, 4.1.2), `iss` included: the service defines none.
 */
export function judgeParameters(
  parameters: URLSearchParams,
  { state, address: { query } }: PendingCallback,
): Callback | NoCallback {
  const states = parameters.getAll("state");
  // All are compared, so that the time it takes reveals nothing.
  if (!(states.map((value) => sameSecret(value, state)).every(Boolean) && states.length === 1)) {
    return { kind: "none", reason: "wrong_state" };
  }
  for (const name of new Set(query.keys())) {
    if (!sameValues(parameters.getAll(name), query.getAll(name))) {
      return { kind: "none", reason: "wrong_address" };
    }
  }
  for (const name of new Set(parameters.keys())) {
    // RFC 6749, section 3.1: parameters must not be included more than once.
    if (!query.has(name) && parameters.getAll(name).length > 1) return { kind: "none", reason: "repeated" };
  }
  const code = parameters.get("code");
  const error = parameters.get("error");
  if (error !== null && error !== "" && code === null) {
    return { kind: "error", error, description: parameters.get("error_description") ?? undefined };
  }
  if (code !== null && error === null && z.safeParse(tokenSchema(), code).success) {
    return { kind: "code", code };
  }
  return { kind: "none", reason: "incomplete" };
}

export interface CallbackRequest {
  readonly method: string;
  readonly target: string;
  /** The values of all `Host` headers: more than one refuses the request. */
  readonly hosts: readonly string[];
}

export interface RefusedRequest {
  readonly kind: "refused";
  readonly status: 400 | 404 | 405;
  readonly reason: string;
}

/** Only `GET` on the exact path with the right `Host` can be an answer. */
export function judgeRequest(request: CallbackRequest, pending: PendingCallback): Callback | RefusedRequest {
  const refusal = refuseRequest(request, pending.address);
  if (refusal !== undefined) return refusal;
  const callback = judgeParameters(new URLSearchParams(splitTarget(request.target).query), pending);
  return callback.kind === "none" ? { kind: "refused", status: 400, reason: callback.reason } : callback;
}

/** `undefined` for a `GET` on the exact path with the right `Host`. */
export function refuseRequest(
  { method, target, hosts }: CallbackRequest,
  address: Pick<RedirectAddress, "host" | "path">,
): RefusedRequest | undefined {
  // Another name that leads here is a page of somebody else's (DNS rebinding).
  if (hosts.length !== 1 || hosts[0]?.toLowerCase() !== address.host) {
    return { kind: "refused", status: 400, reason: "wrong_host" };
  }
  if (splitTarget(target).path !== address.path)
    return { kind: "refused", status: 404, reason: "wrong_path" };
  return method === "GET" ? undefined : { kind: "refused", status: 405, reason: "wrong_method" };
}

function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The comparison takes as long for every value, so it reveals only the length of the secret, which is public. */
function sameSecret(value: string, expected: string): boolean {
  let difference = value.length ^ expected.length;
  for (let index = 0; index < expected.length; index += 1)
    difference |= value.charCodeAt(index) ^ expected.charCodeAt(index);
  return difference === 0;
}

function sameValues(values: readonly string[], expected: readonly string[]): boolean {
  return values.length === expected.length && values.every((value, index) => value === expected[index]);
}

const problems = {
  wrong_state: "That address belongs to another sign-in.",
  wrong_address: "That address is not the redirect address.",
  repeated: "That address has a parameter twice.",
  incomplete: "That address has neither a code nor an error.",
} as const;

/** Takes the whole address, or its query alone, by the same rules as a request of the browser's. */
export function judgePasted(
  line: string,
  pending: PendingCallback,
): Callback | { readonly kind: "none"; readonly problem: string } {
  const query = queryOf(withoutQuotes(line.trim()), pending.address);
  if (query === undefined) return { kind: "none", problem: translated(problems.wrong_address) };
  const callback = judgeParameters(new URLSearchParams(query), pending);
  return callback.kind === "none"
    ? { kind: "none", problem: translated(problems[callback.reason]) }
    : callback;
}

function queryOf(text: string, address: RedirectAddress): string | undefined {
  const [beforeQuery = ""] = text.split(/[?#]/, 1);
  if (beforeQuery.includes("=") || text.startsWith("?")) return text.split("#", 1)[0];
  // Browsers hide the scheme in the address bar, and some copy it that way.
  const { protocol } = new URL(address.uri);
  const hasScheme = beforeQuery.includes("://") || beforeQuery.toLowerCase().startsWith(protocol);
  const whole = hasScheme ? text : `${protocol}//${text}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  return baseOf(url) === address.base ? url.search : undefined;
}

function withoutQuotes(text: string): string {
  return /^(["'`<]).*["'`>]$/.test(text) ? text.slice(1, -1) : text;
}

/** The first answer to the sign-in, and the browser that waits for its outcome. */
export interface ReceivedCallback {
  readonly callback: Callback;
  /**
   * Shows the outcome at an address of its own, so that the code doesn't stay in the address bar or the history.
   * Resolves when the browser has come for that page, is gone, or doesn't come in time.
   */
  readonly answer: (page: OutcomePage) => Promise<void>;
}

export type OutcomePage = "signed_in" | "access_denied" | "failed";

/**
 * Asks on the terminal for the address that the browser ended at. `problem` says what was wrong with the line
 * before. `undefined` where there is nobody to ask any more (end of input). Rejects when the signal is aborted.
 */
export type RedirectPrompt = (
  problem: string | undefined,
  signal: AbortSignal,
) => Promise<string | undefined>;

export interface WaitOptions {
  readonly pending: PendingCallback;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The callback of the browser; absent where no browser can come back to this machine. */
  readonly received: Promise<ReceivedCallback> | undefined;
  readonly prompt: RedirectPrompt | undefined;
  /** Asks the person only after this has come true; at once where it is absent. */
  readonly promptWhen?: Promise<boolean>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits on every way that can bring the answer; the first one ends the others.
 *
 * @throws the signal's reason
 * @throws {ComandaError} `not_signed_in` when the time is up, or nobody is left who could answer
 */
export async function waitForCallback(options: WaitOptions): Promise<ReceivedCallback> {
  const { clock, timeoutMs, received, signal } = options;
  signal?.throwIfAborted();
  const end = new AbortController();
  const endSignal = AbortSignal.any([end.signal, ...(signal ? [signal] : [])]);
  const ways = [
    timeUp(clock, timeoutMs, endSignal),
    askForAddress(options, endSignal),
    ...(received ? [received] : []),
  ];
  // The abort below ends the ways that lose, and their errors don't matter then.
  for (const way of ways) way.catch(() => undefined);
  try {
    return await Promise.race(ways);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    end.abort();
  }
}

async function timeUp(clock: Clock, timeoutMs: number, signal: AbortSignal): Promise<never> {
  await clock.sleep(timeoutMs, signal);
  throw new ComandaError("not_signed_in", t`Nobody finished the sign-in in time, and nothing was stored.`, {
    hint: t`Run comanda login again; --timeout gives more time.`,
  });
}

/** Asks until the answer belongs to this sign-in. */
async function askForAddress(
  { pending, received, prompt, promptWhen }: WaitOptions,
  signal: AbortSignal,
): Promise<ReceivedCallback> {
  if (prompt === undefined || (promptWhen !== undefined && !(await promptWhen))) return never();
  let problem: string | undefined;
  for (;;) {
    const line = await prompt(problem, signal);
    if (line === undefined) break;
    const callback = judgePasted(line, pending);
    if (callback.kind !== "none") return { callback, answer: () => Promise.resolve() };
    problem = callback.problem;
  }
  if (received !== undefined) return never();
  throw new ComandaError("not_signed_in", t`The input ended before the redirect address was pasted.`, {
    hint: t`Run comanda login again and paste the address that the browser ends at.`,
  });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
