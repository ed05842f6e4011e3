/**
 * A service that records what it has done, whatever happens to its responses. A gateway that may respond instead, and a connection that may
 * break, are between it and the client. A gateway may have passed a request on before it responds, except with three statuses.
 */
import { operations as described } from "../../src/api/operations.js";
import { TransportError, type HttpResponse } from "../../src/client/transport.js";

const writes = Object.values(described).flatMap((operation) =>
  operation.method === "GET" ? [] : operation.id,
);
/** Every write of the API. `request` is one that the specification doesn't show. */
export const operations = [...writes, "request"] as const;
export type Operation = (typeof operations)[number];

export const beginnings = ["open", "finished", "absent", "invalid"] as const;
/** The state of the order before anything is sent. */
export type Beginning = (typeof beginnings)[number];

/** Integers from 0 to below a limit, drawn by a seed. */
export type Dice = (below: number) => number;

export function diceOf(seed: number): Dice {
  let state = (seed * 2_654_435_761 + 12_345) % 4_294_967_296;
  return (below) => {
    // The constants are those of Numerical Recipes; the high bits are the random ones.
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

export interface Reply {
  readonly answer?: HttpResponse;
  readonly failure?: TransportError;
  /** The source of the response; `nobody` without a complete one. */
  readonly author: "service" | "gateway" | "nobody" | "unsent";
}

const json = { "content-type": "application/json" };
const html = { "content-type": "text/html; charset=utf-8" };
const page = "<!doctype html><html><h1>No</h1></html>";
const ofTheApi = (status: number, code: number): HttpResponse => ({
  status,
  headers: json,
  body: JSON.stringify({ code, message: "No", details: "Not so" }),
});
/** Responses of a gateway, except refusals of the caller and of requests that it doesn't pass on. */
const clientErrors = [400, 402, 404, 405, 406, 408, 409, 410, 413, 418, 422, 451] as const;
const notPassedOn = [407, 421, 425] as const;
const errors = ['{"error":"no"}', '{"message":"no"}', '{"code":4041}', '{"code":"x","message":"y"}'];
const foreign = ["{}", ...errors, "[]", "4041"];

/** Bodies of a 2xx that don't show that the order was changed. */
const denials = [
  '{"id":7}',
  '{"id":7,"error":"order is locked"}',
  '{"id":"7","success":false,"message":"no"}',
  '{"id":7,"code":9999,"message":"cannot"}',
  '{"id":7,"status":"confirmed","success":false}',
  '{"id":8,"status":"canceled","driver_id":12}',
];

export class TruthfulService {
  /** The number of requests that have changed something. */
  done = 0;

  constructor(
    readonly operation: Operation,
    readonly beginning: Beginning,
  ) {}

  /** Processes a request that has reached the service. */
  process(dice: Dice): HttpResponse {
    switch (this.operation) {
      case "assignDriver":
        if (this.beginning === "absent") return ofTheApi(404, 4041);
        if (this.beginning === "invalid") return ofTheApi(400, 4000);
        this.done += 1;
        return { status: 200, headers: json, body: '{"id":7,"status":"released","driver_id":11}' };
      case "createPrefilledOrder":
        if (this.beginning === "invalid") return ofTheApi(400, 4000);
        this.done += 1;
        return {
          status: 201,
          headers: json,
          body: '{"id":"a","order_url":"https://m/o","checkout_url":"https://m/c"}',
        };
      case "request":
        // A removed order is no longer found.
        if (this.beginning === "absent" || this.done > 0) return ofTheApi(404, 4041);
        this.done += 1;
        return { status: 204, headers: {}, body: "" };
      default: {
        if (this.beginning === "absent") return ofTheApi(404, 4041);
        if (this.beginning === "finished" || this.done > 0)
          return ofTheApi([400, 403, 409, 500][dice(4)] ?? 409, 4002);
        this.done += 1;
        if (dice(2) === 0) return { status: 204, headers: {}, body: "" };
        // The compiler accepts only status changes here, so each other write must have a case above.
        const { leadsTo } = described[this.operation];
        const changed = JSON.stringify({ id: 7, status: leadsTo[dice(leadsTo.length)] });
        return { status: 200, headers: json, body: ["", "{}", "null", changed][dice(4)] ?? "" };
      }
    }
  }
}

/** Returns the response as a client receives it with a length or in chunks; a 204 has neither. */
function whole(answer: HttpResponse): HttpResponse {
  if (answer.status === 204) return answer;
  const length = String(Buffer.byteLength(answer.body));
  return { ...answer, headers: { ...answer.headers, "content-length": length } };
}

const fails = (failure: TransportError["failure"], sent: boolean): Reply => ({
  failure: new TransportError(failure, sent, failure),
  author: sent ? "nobody" : "unsent",
});
const from = (author: Reply["author"], answer: HttpResponse): Reply => ({ answer: whole(answer), author });
const gatewayPage = (status: number): Reply => from("gateway", { status, headers: html, body: page });
const gatewayEmpty = (status: number, headers = {}): Reply => from("gateway", { status, headers, body: "" });
const gatewayJson = (status: number, dice: Dice, bodies = foreign): Reply =>
  from("gateway", { status, headers: json, body: bodies[dice(bodies.length)] ?? "" });
const pageCutOff = (_: HttpResponse, dice: Dice): Reply => ({
  ...cutOff({ status: 200, headers: html, body: page }, dice),
  author: "gateway",
});

/** The connection shows where the body ends, or the runtime hides the framing. */
const denialCutOff = (_: HttpResponse, dice: Dice, operation: Operation): Reply => {
  const body = denials[dice(denials.length)] ?? "";
  // For a call that isn't described, only a page isn't the API's.
  const denial = operation === "request" ? { headers: html, body: page } : { headers: json, body };
  const framing = dice(2) === 0 ? { endsWithConnection: true as const } : {};
  return { ...cutOff({ status: 200, ...denial, ...framing }, dice), author: "gateway" };
};

/**
 * Cuts the service's response off at any byte, in the head as often as in the body. If it has a length, the cut is visible; otherwise its
 * end is that of the connection (RFC 9112, section 6.3), and the body may be incomplete.
 */
function cutOff(answer: HttpResponse, dice: Dice): Reply {
  const hasLength = dice(2) === 0;
  const whole = Buffer.from(answer.body);
  const end = dice(2 * whole.length + 2) - whole.length - 1;
  if (end < 0 || (hasLength && end < whole.length)) return fails("reset", true);
  const body = whole.subarray(0, end).toString();
  return { answer: { ...answer, body }, author: body === answer.body || body === "" ? "service" : "nobody" };
}

interface Step {
  /** Whether the request reaches the service. */
  readonly reaches: boolean;
  /** Whether it may have been done, as far as the client can know. */
  readonly isAmbiguous?: true;
  /** @param own the service's response, if it received the request */
  readonly reply: (own: HttpResponse, dice: Dice, operation: Operation) => Reply;
}

const ambiguous = { reaches: true, isAmbiguous: true } as const;
const lost = { reaches: false, isAmbiguous: true } as const;
const kept = { reaches: false } as const;
const pick = (dice: Dice, from: readonly number[]) => from[dice(from.length)] ?? 404;

/** The possible results of a request. */
export const steps: Readonly<Record<string, Step>> = {
  answered: { reaches: true, reply: (own) => from("service", own) },
  "done, and its answer cut off": { ...ambiguous, reply: cutOff },
  "refused in a 2xx, and cut off": { ...lost, reply: denialCutOff },
  "done, and reset": { ...ambiguous, reply: () => fails("reset", true) },
  "done, and no answer in time": { ...ambiguous, reply: () => fails("timeout", true) },
  "done, and a gateway's 502": { ...ambiguous, reply: () => gatewayPage(502) },
  "done, and an empty 504": { ...ambiguous, reply: () => gatewayEmpty(504) },
  "done, and a 5xx with foreign JSON": { ...ambiguous, reply: (_, dice) => gatewayJson(502, dice) },
  "done, and the API fails": { ...ambiguous, reply: () => from("service", ofTheApi(500, 5000)) },
  "done, and a 2xx that isn't the API's": {
    ...ambiguous,
    // An empty object may be the API's. For a call that isn't described, any JSON may be.
    reply: (_, dice, operation) =>
      operation === "request" ? gatewayPage(200) : gatewayJson(200, dice, [...foreign.slice(1), ...denials]),
  },
  "done, and a page cut off": { ...ambiguous, reply: pageCutOff },
  "done, and led to where it is told": { ...ambiguous, reply: () => gatewayEmpty(303, { location: "/" }) },
  "nothing listens": { ...kept, reply: () => fails("refused", false) },
  "no such host": { ...kept, reply: () => fails("dns", false) },
  "a bad certificate": { ...kept, reply: () => fails("tls", false) },
  "reset before": { ...lost, reply: () => fails("reset", true) },
  garbage: { ...lost, reply: () => fails("bad_answer", true) },
  "a page": { ...lost, reply: () => gatewayPage(200) },
  "a page cut off": { ...lost, reply: pageCutOff },
  "a gateway's 503": { ...lost, reply: () => gatewayPage(503) },
  "a gateway's 501": { ...lost, reply: () => gatewayPage(501) },
  "the API is away": { ...lost, reply: () => from("service", ofTheApi(503, 5030)) },
  "done, and a gateway's 4xx": { ...ambiguous, reply: (_, dice) => gatewayPage(pick(dice, clientErrors)) },
  "an empty 4xx": {
    ...lost,
    reply: (_, dice) => gatewayEmpty(pick(dice, [...clientErrors, ...notPassedOn])),
  },
  "done, and a 4xx with foreign JSON": {
    ...ambiguous,
    reply: (_, dice) => gatewayJson(pick(dice, clientErrors), dice),
  },
  "done, and led elsewhere": { ...ambiguous, reply: () => gatewayEmpty(302, { location: "/" }) },
  "the token is refused": { ...kept, reply: () => from("service", ofTheApi(401, 4010)) },
  "a gateway's 401": { ...kept, reply: () => gatewayPage(401) },
  "a scope is missing": { ...kept, reply: () => from("service", ofTheApi(403, 4030)) },
  "a gateway's 403": { ...kept, reply: () => gatewayPage(403) },
  "the limit is reached": { ...kept, reply: () => from("service", ofTheApi(429, 4290)) },
  "a gateway's 429": { ...kept, reply: () => gatewayPage(429) },
  "too early, says the API": {
    ...kept,
    reply: (_, dice) => from("service", ofTheApi(pick(dice, [407, 408, 421, 425]), 4999)),
  },
};
export const stepNames = Object.keys(steps);
