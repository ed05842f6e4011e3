/**
 * Reads and performs faults. A fault is an object (`{ status: 503, path: "/dispatch" }`) or a string with the same parts,
 * separated by commas (`status=503,path=/dispatch`). `FaultInput` in `../inputs.ts` describes each part.
 */
import { once } from "node:events";
import { STATUS_CODES } from "node:http";
import { inspect } from "node:util";

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import * as z from "zod/mini";

import { alternatives, mustBeOneOf, suggestion } from "../../base/basics.js";
import { systemClock } from "../../base/clock.js";
import { ComandaError } from "../../base/errors.js";
import { repeated } from "../../base/fields.js";
import { oneOf } from "../../api/schema.js";
import { check } from "../../api/input.js";
import type { OperationId } from "../../api/models.js";
import { allOperations } from "../../api/oauth.js";
import { rateLimited } from "../domain/refused.js";
import { t } from "../../languages/language.js";
import type { FaultInput } from "../inputs.js";
import { integer, text } from "../seed/cast.js";
import { bodyOf, type Incoming, patternOf, routeMethods } from "./incoming.js";

const httpStatus = integer(200, 599);
const yes = z.literal(true, { error: "must be true" });
const yesOrStatus = z.union([yes, httpStatus], {
  error: ({ input }) => mustBeOneOf(["true", "200-599"], input),
});
const operationIds = Object.keys(allOperations).filter((name): name is OperationId => name in allOperations);

/** `Retry-After` (RFC 9110, section 10.2.3). */
const isSecondsOrDate = (text: string) =>
  /^\d+$/.test(text) || (text.endsWith("GMT") && new Date(text).toUTCString() === text);
const mustBeRetryAfter = { error: () => t`must be true, seconds, or a date as HTTP writes it` };

const kinds = {
  status: httpStatus,
  delay: z.number().check(z.minimum(0), z.maximum(600_000)),
  redirect: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  rate_limit: z.union(
    [yes, integer(0), z.string().check(z.refine(isSecondsOrDate, mustBeRetryAfter))],
    mustBeRetryAfter,
  ),
  oversize: integer(1, 268_435_456),
  html: yesOrStatus,
  garbage: yesOrStatus,
  empty: yesOrStatus,
  reset: yes,
  hang: yes,
  truncate: z.union([yes, z.literal("head")], { error: ({ input }) => mustBeOneOf(["true", "head"], input) }),
  not_http: yes,
};
const isMethod = (name: string) => routeMethods.some((method) => method === name.toUpperCase());
const mustBeMethod = { error: ({ input }: { readonly input: unknown }) => mustBeOneOf(routeMethods, input) };
const parts = {
  method: z.string(mustBeMethod).check(z.refine(isMethod, mustBeMethod)),
  path: text,
  operation: oneOf(operationIds),
  times: integer(1),
  after: integer(0),
  when: oneOf(["before", "after"]),
  body: z.string(),
  // RFC 9110, section 5.5.
  content_type: z.string().check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/)),
} satisfies Record<Exclude<keyof FaultInput, keyof typeof kinds>, unknown>;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds).filter((name): name is Kind => name in kinds);

/** Returns the kinds that a fault names. The status of a redirect isn't a second kind. */
function kindsOf(fault: FaultInput): readonly Kind[] {
  return kindNames.filter(
    (name) => fault[name] !== undefined && (name !== "status" || fault.redirect === undefined),
  );
}

export function kindOf(fault: FaultInput): Kind {
  const [kind] = kindsOf(fault);
  if (kind === undefined) throw new RangeError("The fault has no kind.");
  return kind;
}

/** Returns whether responses with this status have no body (RFC 9110, section 6.4.1). */
const hasNoBody = (status: unknown) => status === 204 || status === 205 || status === 304;

export const faultSchema = z.partial(z.strictObject({ ...kinds, ...parts })).check(
  z.refine((fault) => kindsOf(fault).length === 1, {
    error: () => t`must contain exactly one of ${kindNames.join(", ")}`,
  }),
  z.refine(
    ({ status, redirect, body, content_type, html, garbage }) => {
      const allowsContents = status !== undefined && redirect === undefined && !hasNoBody(status);
      const hasContents = (body ?? content_type) !== undefined;
      return (allowsContents || !hasContents) && !hasNoBody(html) && !hasNoBody(garbage);
    },
    { error: () => t`has a body or content type, but its kind or status allows none` },
  ),
  // An empty 2xx isn't a redirect, because it means that an order was changed.
  z.refine(({ redirect, status = 302 }) => redirect === undefined || (status >= 300 && status < 400), {
    error: () => t`must redirect with a status from 300 to 399`,
  }),
  z.refine(({ truncate, when }) => truncate === undefined || when !== "before", {
    error: () => t`cuts off the service's own response, which requires when=after`,
  }),
);

/**
 * Reads a fault from a string or an object.
 *
 * @throws {ComandaError} `invalid_input` if the fault isn't valid
 */
export function readFault(input: string | FaultInput): FaultInput {
  const isText = typeof input === "string";
  const owner = t`The fault ${isText ? `"${input}"` : inspect(input)}`;
  const fault = isText ? parseFault(input) : input;
  const [first = ""] = Object.keys(fault);
  if (isText && first !== "" && !(first in kinds) && !(first in parts))
    throw new ComandaError("invalid_input", t`Unknown fault "${first}".` + suggestion(first, kindNames), {
      hint: t`Use ${alternatives(kindNames)}. Conditions such as times= follow a comma.`,
    });
  const result = check(faultSchema, fault, owner);
  if (result.ok) return result.value;
  const [{ message, hint }] = result.problems;
  // A problem of one part names only the part.
  const problem = message.startsWith(owner) ? message : `${owner}: ${message}`;
  throw new ComandaError("invalid_input", problem, { hint });
}

/** Parses parts separated by commas. A value in double quotes may contain commas, and quotes if doubled. */
function parseFault(line: string): Record<string, unknown> {
  const fault = new Map<string, unknown>();
  if (line.trim() === "") return {};
  for (const [, part = ""] of line.matchAll(/(?:^|,)((?:="(?:[^"]|"")*"|[^,])*)/g)) {
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(part.trim()) ?? [];
    if (fault.has(name)) throw repeated("invalid_input", name);
    const quoted = /^"(.*)"$/s.exec(value ?? "")?.[1]?.replaceAll('""', '"');
    const isText = ["method", "path", "body", "content_type", "redirect"].includes(name);
    const isTrue = value === undefined || (value === "true" && !isText);
    const isNumber = !isText && /^-?\d+(?:\.\d+)?$/.test(value ?? "");
    fault.set(name, quoted ?? (isNumber ? Number(value) : isTrue || value));
  }
  return Object.fromEntries(fault);
}

export class FaultSwitch {
  /** Faults, each with the number of requests that it has matched. */
  #faults: readonly { readonly fault: FaultInput; matched: number }[] = [];

  /** @throws {ComandaError} as {@link readFault} */
  set(faults: readonly (string | FaultInput)[]): void {
    this.#faults = faults.map((fault) => ({ fault: readFault(fault), matched: 0 }));
  }

  list(): readonly FaultInput[] {
    return this.#faults.map(({ fault }) => fault);
  }

  /** Returns the first fault that applies to a request, and counts the request for it and the matching faults before it. */
  next(method: string, path: string): FaultInput | undefined {
    for (const active of this.#faults) {
      const { after = 0, times = Infinity } = active.fault;
      if (!matches(active.fault, method, path)) continue;
      active.matched += 1;
      if (active.matched > after && active.matched <= after + times) return active.fault;
    }
    return undefined;
  }
}

function matches({ method, path = "", operation }: FaultInput, calledMethod: string, calledPath: string) {
  const called = operation && allOperations[operation];
  const isPath = path.includes("{") ? patternOf(path, "").test(calledPath) : calledPath.includes(path);
  return (
    isPath &&
    calledMethod === (method?.toUpperCase() ?? calledMethod) &&
    (!called || (calledMethod === called.method && patternOf(called.path).test(calledPath)))
  );
}

/**
 * Performs a fault on a request.
 *
 * @param process returns the regular answer; called at most once
 * @param closed aborts when the emulator has closed, which ends a delay
 * @throws {Error} if the fault needs a connection and the request has none
 */
export async function performFault(
  fault: FaultInput,
  incoming: Incoming,
  process: () => Response | Promise<Response>,
  closed: AbortSignal,
): Promise<Response> {
  const isAfter = fault.when === "after";
  const kind = kindOf(fault);
  // The log contains the body even if the request isn't processed.
  if (!isAfter) await bodyOf(incoming).catch(() => "");
  if (kind === "delay") {
    const wait = () => systemClock.sleep(fault.delay ?? 0, closed);
    if (!isAfter) await wait();
    const answer = await process();
    if (isAfter) await wait();
    return answer;
  }
  const outgoing = incoming.connection?.outgoing;
  // Marks an answer that a fault caused.
  outgoing?.setHeader("x-emulator-fault", kind);
  if (isAfter && kind !== "truncate") await process();
  const connection = () => {
    if (outgoing) return outgoing;
    throw new Error("This fault needs a connection, and the request has none.");
  };
  switch (kind) {
    case "reset":
      connection().socket?.resetAndDestroy();
      break;
    case "not_http":
      connection().socket?.end("220 ready\r\n\r\n\u0001\u0002 this is not HTTP\r\n");
      break;
    case "truncate": {
      const { socket } = connection();
      socket?.end(await truncated(await process(), fault.truncate));
      break;
    }
    case "hang": {
      const waiting = connection();
      if (!waiting.closed && !waiting.destroyed) await once(waiting, "close").catch(() => undefined);
      break;
    }
    default:
      return answers[kind](fault);
  }
  return RESPONSE_ALREADY_SENT;
}

const page = "<!doctype html><html><head><title>Gateway</title></head><body><h1>Gateway</h1></body></html>";

/** Creates the answer of a fault whose value may be a status. */
function answerOf(body: string | null, value: true | number = 200, type = "application/json"): Response {
  const status = value === true ? 200 : value;
  return new Response(body, { status, headers: body === null ? {} : { "content-type": type } });
}

/** The faults that send a complete HTTP response. */
const answers = {
  status: ({ status = 200, body = JSON.stringify({ message: `Fault: HTTP ${status}` }), content_type }) =>
    answerOf(hasNoBody(status) ? null : body, status, content_type),
  redirect: ({ status = 302, redirect = "" }) =>
    new Response(null, { status, headers: { location: redirect } }),
  rate_limit: ({ rate_limit }) => {
    throw rateLimited(rate_limit === true ? undefined : rate_limit);
  },
  oversize: ({ oversize = 0 }) => answerOf(JSON.stringify("x".repeat(Math.max(oversize - 2, 0)))),
  html: ({ html }) => answerOf(page, html, "text/html; charset=utf-8"),
  garbage: ({ garbage }) => answerOf('{"code": 4\u0000\ufffd[[[', garbage),
  empty: ({ empty }) => answerOf(null, empty),
} satisfies Partial<Record<Kind, (fault: FaultInput) => Response>>;

/**
 * Returns the bytes of an answer with half of its body, or one byte if it has none. With `head`, they have neither a length nor chunks,
 * and end before the body, so that the answer looks complete.
 */
async function truncated(answer: Response, part: FaultInput["truncate"]): Promise<Buffer> {
  const body = Buffer.from(await answer.text());
  const status = answer.status === 204 ? 200 : answer.status;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `content-type: ${answer.headers.get("content-type") ?? "application/json"}`,
    "x-emulator-fault: truncate",
  ];
  const end = "\r\n\r\n";
  if (part === "head") return Buffer.from(head.join("\r\n") + end);
  head.push(`content-length: ${Math.max(body.length, 16)}`);
  const half = body.length > 0 ? body.subarray(0, Math.floor(body.length / 2)) : Buffer.from("{");
  return Buffer.concat([Buffer.from(head.join("\r\n") + end), half]);
}
