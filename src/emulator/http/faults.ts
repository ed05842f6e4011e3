/**
 * Faults on request, in one spelling: as an object (`{ status: 503, path: "/dispatch" }`), and as a text with commas between
 * the same parts (`status=503,path=/dispatch`). What each part means stands in `FaultInput` of `../inputs.ts`.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import * as z from "zod/mini";

import { check, detailsOf } from "../../api/input.js";
import type { OperationId } from "../../api/models.js";
import { allOperations } from "../../api/oauth.js";
import { rateLimited } from "../domain/refused.js";
import type { FaultInput } from "../inputs.js";
import { bodyOf, escapeRegExp, type Incoming, patternOf } from "./incoming.js";

const httpStatus = z.int().check(z.minimum(200), z.maximum(599));
const yes = z.literal(true);
const yesOrStatus = z.union([yes, httpStatus], "must be nothing, or a status from 200 to 599");
const text = z.string().check(z.minLength(1));
const operationIds = Object.keys(allOperations).filter((name): name is OperationId => name in allOperations);

/** What can go wrong. */
const kinds = {
  status: httpStatus,
  delay: z.number().check(z.minimum(0), z.maximum(600_000)),
  redirect: z.string().check(z.regex(/^[\x21-\x7e]+$/)),
  rate_limit: z.union(
    [yes, z.int().check(z.minimum(0)), z.string().check(z.regex(/^[\x20-\x7e]+$/))],
    "must be nothing, seconds, or a date",
  ),
  oversize: z.int().check(z.minimum(1), z.maximum(268_435_456)),
  html: yesOrStatus,
  garbage: yesOrStatus,
  empty: yesOrStatus,
  reset: yes,
  hang: yes,
  truncate: yes,
  not_http: yes,
};
/** What goes beside it. */
const parts = {
  method: text,
  path: text,
  operation: z.enum(operationIds),
  times: z.int().check(z.minimum(1)),
  after: z.int().check(z.minimum(0)),
  when: z.enum(["before", "after"]),
  body: z.string(),
  content_type: z.string().check(z.regex(/^[^\r\n\0]*$/)),
};
type Kind = keyof typeof kinds;
const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);
const kindNames = Object.keys(kinds).filter(isKind);

/** A redirect may have a status beside it: it is the one answer that has two of them. */
function kindsOf(fault: object): readonly Kind[] {
  const named = Object.keys(fault).filter(isKind);
  return named.includes("redirect") ? named.filter((name) => name !== "status") : named;
}

export const faultSchema = z.partial(z.strictObject({ ...kinds, ...parts })).check(
  z.refine((fault) => kindsOf(fault).length === 1, { error: "must say one thing that goes wrong" }),
  z.refine(
    ({ body, content_type, ...fault }) =>
      (body === undefined && content_type === undefined) || kindsOf(fault)[0] === "status",
    { error: "body and content_type go with status" },
  ),
);

export type Fault = z.infer<typeof faultSchema>;

/**
 * Reads a fault as a text or an object.
 *
 * @throws {SyntaxError} where it can't be understood; its message says what is wrong, and what there is
 */
export function readFault(input: string | FaultInput): Fault {
  const fault = typeof input === "string" ? partsOf(input) : input;
  const owner = typeof input === "string" ? `The fault "${input}"` : "The fault";
  const result = check(faultSchema, fault, owner);
  if (result.ok) return result.value;
  throw new SyntaxError(
    `${detailsOf(result)}. What goes wrong is one of ${kindNames.join(", ")}; beside it go ` +
      Object.keys(parts).join(", "),
  );
}

/** Parts have commas between them. A value in double quotes may have some, and a quote written twice. */
function partsOf(line: string): Record<string, unknown> {
  const fault: Record<string, unknown> = {};
  for (const [, part = ""] of line.matchAll(/(?:^|,)((?:="(?:[^"]|"")*"|[^,])*)/g)) {
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(part.trim()) ?? [];
    if (Object.hasOwn(fault, name)) throw new SyntaxError(`The fault "${line}" has ${name} twice`);
    const quoted = /^"(.*)"$/s.exec(value ?? "")?.[1]?.replaceAll('""', '"');
    const isText = ["method", "path", "body", "content_type", "redirect"].includes(name);
    const isNumber = value !== undefined && !isText && /^\d+$/.test(value);
    fault[name] = quoted ?? (isNumber ? Number(value) : (value ?? true));
  }
  return fault;
}

export function kindOf(fault: Fault): Kind {
  const [kind] = kindsOf(fault);
  if (kind === undefined) throw new RangeError("a fault says what goes wrong");
  return kind;
}

interface ActiveFault {
  readonly fault: Fault;
  readonly matches: (method: string, path: string) => boolean;
  spared: number;
  remaining: number;
}

export class FaultSwitch {
  #faults: readonly ActiveFault[] = [];

  /** Replaces all faults. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({
      fault,
      matches: matcher(fault),
      spared: fault.after ?? 0,
      remaining: fault.times ?? Number.POSITIVE_INFINITY,
    }));
  }

  list(): readonly Fault[] {
    return this.#faults.map(({ fault }) => fault);
  }

  /** Counts the request against the faults that it matches, up to the one that it gets. */
  take(method: string, path: string): Fault | undefined {
    for (const active of this.#faults) {
      if (active.remaining === 0 || !active.matches(method, path)) continue;
      active.spared -= 1;
      if (active.spared >= 0) continue;
      active.remaining -= 1;
      return active.fault;
    }
    return undefined;
  }
}

function matcher({ method, path = "", operation }: Fault): ActiveFault["matches"] {
  const called = operation && allOperations[operation];
  const operationPath = called && patternOf(called.path);
  const stars = path.split("*").map(escapeRegExp);
  const part = new RegExp(stars.length > 1 ? `^${stars.join(".*")}$` : escapeRegExp(path));
  const pattern = path.includes("{") ? patternOf(path) : part;
  return (actualMethod, actualPath) =>
    actualMethod === (method?.toUpperCase() ?? actualMethod) &&
    pattern.test(actualPath) &&
    (!called || (actualMethod === called.method && operationPath?.test(actualPath) === true));
}

const page = "<!doctype html><html><head><title>Gateway</title></head><body><h1>Gateway</h1></body></html>";

/** These answer on the socket alone. */
export const unanswered: ReadonlySet<string> = new Set(["reset", "hang", "truncate", "not_http"]);

/**
 * Answers a request as the fault wants it.
 *
 * @param process answers it as it should be; called at most once
 * @throws {Error} where the fault needs a socket and the request came without one
 */
export async function actOut(
  fault: Fault,
  incoming: Incoming,
  process: () => Response | Promise<Response>,
): Promise<Response> {
  const isAfter = fault.when === "after";
  const kind = kindOf(fault);
  // What came in is told of all the same.
  if (!isAfter) await bodyOf(incoming).catch(() => "");
  if (kind === "delay") {
    if (!isAfter) await delay(fault.delay);
    const answer = await process();
    if (isAfter) await delay(fault.delay);
    return answer;
  }
  const outgoing = incoming.connection?.outgoing;
  // Nobody shall take it for the service's answer.
  outgoing?.setHeader("x-emulator-fault", kind);
  // An answer that is cut short has to be there first.
  const answer = isAfter || kind === "truncate" ? await process() : undefined;
  const asStatus = (value: number | true | undefined) => (typeof value === "number" ? value : 200);
  switch (kind) {
    case "status": {
      const status = fault.status ?? 200;
      // These statuses have no body (RFC 9110, section 6.4.1).
      if ([204, 205, 304].includes(status)) return new Response(null, { status });
      const body = fault.body ?? JSON.stringify({ message: `Fault: HTTP ${status}` });
      return typed(body, fault.content_type ?? "application/json", status);
    }
    case "garbage":
      return typed('{"code": 4\u0000\ufffd[[[', "application/json", asStatus(fault.garbage));
    case "html":
      return typed(page, "text/html; charset=utf-8", asStatus(fault.html));
    case "empty":
      return new Response(null, { status: asStatus(fault.empty) });
    case "redirect":
      return new Response(null, {
        status: fault.status ?? 302,
        headers: { location: fault.redirect ?? "/" },
      });
    case "oversize":
      return typed(JSON.stringify("x".repeat(Math.max((fault.oversize ?? 0) - 2, 0))), "application/json");
    case "rate_limit":
      throw rateLimited(fault.rate_limit === true ? undefined : fault.rate_limit);
    case "reset":
      connected(outgoing).socket?.resetAndDestroy();
      break;
    case "not_http":
      connected(outgoing).socket?.end("220 ready\r\n\r\n\u0001\u0002 this is not HTTP\r\n");
      break;
    case "truncate":
      await truncate(connected(outgoing), answer);
      break;
    case "hang": {
      const response = connected(outgoing);
      if (!response.closed && !response.destroyed) await once(response, "close").catch(() => undefined);
    }
  }
  return RESPONSE_ALREADY_SENT;
}

function typed(body: string, type: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": type } });
}

/** Promises the whole body and sends half of it; of an empty body it promises more than there is. */
async function truncate(outgoing: ServerResponse, answer: Response | undefined): Promise<void> {
  const body = Buffer.from((await answer?.text()) ?? "");
  outgoing.writeHead(answer === undefined || answer.status === 204 ? 200 : answer.status, {
    "content-type": answer?.headers.get("content-type") ?? "application/json",
    "content-length": Math.max(body.length, 16),
  });
  const half = body.length > 0 ? body.subarray(0, Math.floor(body.length / 2)) : "{";
  outgoing.write(half, () => outgoing.socket?.destroy());
}

function connected(outgoing: ServerResponse | undefined): ServerResponse {
  if (outgoing) return outgoing;
  throw new Error("This fault acts on a connection, and the request came without one.");
}
