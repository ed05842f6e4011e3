/** Plays a sequence of results for each request, and reports every claim about the outcome that isn't true. */
import { operations, statusChangeNames, statusChanges } from "../../src/api/operations.js";
import { buildAnyRequest, request } from "../../src/client/any-call.js";
import { createClient, type Client } from "../../src/client/client.js";
import { TransportError, type Transport } from "../../src/client/transport.js";
import { ComandaError, type Outcome } from "../../src/base/errors.js";
import { judge, judgeFailure, mayBeCutOff, conclude } from "../../src/client/judge.js";
import type { Attempt, CalledOperation, ReadSuccess } from "../../src/client/judge.js";
import type { CallObserver } from "../../src/client/options.js";
import { jumpingClock } from "../client/support/clock.js";
import { diceOf, steps, TruthfulService } from "./service.js";
import type { Beginning, Dice, Operation, Reply } from "./service.js";

export interface Sequence {
  readonly operation: Operation;
  readonly beginning: Beginning;
  /** One of {@link steps} for each request; later requests have a response. */
  readonly names: readonly string[];
  readonly seed: number;
  /** A function of the program fails after each response. */
  readonly fails?: boolean;
}

type Send = (client: Client) => Promise<Outcome>;

const sends: Readonly<Record<Operation, Send>> = {
  dispatchOrder: (client) => client.dispatchOrder("7"),
  deliverOrder: (client) => client.deliverOrder("7"),
  finalizeOrder: (client) => client.finalizeOrder("7"),
  cancelOrder: (client) => client.cancelOrder("7"),
  assignDriver: (client) => client.assignDriver("7", { driver_id: 11 }),
  createPrefilledOrder: (client) => client.createPrefilledOrder({ order_type: "takeout" }),
  request: (client) => request(client, anyRequest),
};
const anyRequest = { method: "DELETE", path: "/api/partner/v1/coupons/7" } as const;

/** The requests of a sequence, in turn. */
class Line {
  readonly told: string[] = [];
  readonly names: string[];
  readonly service: TruthfulService;
  readonly #dice: Dice;
  isAmbiguous = false;
  authors: Reply["author"][] = [];
  /** The replies to the requests of the latest call. */
  replies: Reply[] = [];

  constructor({ names, operation, beginning, seed }: Sequence) {
    this.names = [...names];
    this.service = new TruthfulService(operation, beginning);
    this.#dice = diceOf(seed);
  }

  readonly transport: Transport = {
    send: () => {
      const name = this.names.shift() ?? "answered";
      const step = steps[name];
      if (!step) throw new Error(`nothing is called ${name}`);
      const own = step.reaches ? this.service.process(this.#dice) : { status: 0, headers: {}, body: "" };
      const reply = step.reply(own, this.#dice, this.service.operation);
      const { answer, failure, author } = reply;
      this.replies.push(reply);
      if (step.isAmbiguous) this.isAmbiguous = true;
      this.authors.push(author);
      this.told.push(`${name}: ${answer ? `${answer.status} ${answer.body}` : (failure?.message ?? "")}`);
      return answer ? Promise.resolve(answer) : Promise.reject(failure ?? new Error("no reply"));
    },
    close: () => Promise.resolve(),
  };
}

/** The contents of a row in the journal. */
type Kept = Pick<Outcome, "outcome" | "httpStatus" | "code" | "serviceCode" | "evidence">;

const facts = { httpStatus: null, code: null, serviceCode: null, evidence: "nobody" } as const;
const noAnswer: Kept = { outcome: "unknown", ...facts };

/**
 * Plays a list with --resume until it is complete, or a single call again as long as the sequence has further results.
 *
 * @returns the claims that aren't true
 */
export async function play(sequence: Sequence): Promise<readonly string[]> {
  const { operation, beginning, seed, fails = false } = sequence;
  const isLone = !statusChangeNames.some((name) => statusChanges[name].id === operation);
  const line = new Line(sequence);
  const broken: string[] = [];
  /** The outcome in the journal, and that of the last process. */
  let kept = noAnswer;
  let evidence: Kept["evidence"] = null;
  const observer: CallObserver = {
    sends: () => void (kept = noAnswer),
    attempted: (_, { verdict }) => {
      evidence = verdict.evidence ?? evidence;
      kept = { ...verdict, evidence };
      if (fails) throw new Error("a function of the program");
    },
  };
  for (let turn = 0; turn === 0 || line.names.length > 0; turn += 1) {
    if (!isLone && (turn === 4 || (turn > 0 && ["done", "unknown"].includes(kept.outcome)))) break;
    if (isLone) {
      line.isAmbiguous = false;
      line.authors = [];
      evidence = null;
    }
    const before = isLone ? line.service.done : 0;
    line.replies = [];
    const reported = await sent(operation, seed, line.transport, observer);
    const judged = conclude(...attemptsOf(operation, line.replies)).outcome;
    if (fails && reported.code !== "callback_failed") broken.push(`It has the code ${reported.code}.`);
    // Only the code says that the function has failed.
    const came = fails ? { ...reported, code: judged.code } : reported;
    if (wordsOf(judged) !== wordsOf(came))
      broken.push(`The attempts come to ${wordsOf(judged)}, the call to ${wordsOf(came)}: ${operation}.`);
    const told: Kept = { ...factsOf(came), evidence: came.evidence ?? evidence };
    line.told.push(`=> ${Object.values(told).join(" ")}`);
    for (const what of faultsOf(told, kept, line, line.service.done - before))
      broken.push(`${what} ${operation}, ${beginning}: ${line.told.join("; ")}`);
  }
  return broken;
}

function factsOf({ outcome, httpStatus, code, serviceCode, evidence }: Kept): Kept {
  return { outcome, httpStatus, code, serviceCode, evidence };
}

function wordsOf({ attempts, ...outcome }: Outcome): string {
  return [attempts, ...Object.values(factsOf(outcome))].join(" ");
}

/** Returns the attempts of a call for the results of its requests, without a client. */
function attemptsOf(operation: Operation, replies: readonly Reply[]): [CalledOperation, Attempt[]] {
  const described = operation === "request" ? undefined : operations[operation];
  const leadsTo = described && "leadsTo" in described ? described.leadsTo : [];
  const read: ReadSuccess<unknown> = described
    ? (response, json) =>
        mayBeCutOff(response)
          ? undefined
          : described.response.read(json, response.body, { orderId: "7", driverId: 11, leadsTo })
    : buildAnyRequest(anyRequest).read;
  const attempts = replies.map(({ answer, failure }): Attempt => {
    const lost = failure ?? new TransportError("reset", true, "no reply");
    const judged = answer ? judge(answer, read, 0, String) : judgeFailure(lost);
    return { signature: { scheme: "bearer", secrets: {} }, judged };
  });
  return [described ?? buildAnyRequest(anyRequest).operation, attempts];
}

/** The reported outcome of one call. */
async function sent(
  operation: Operation,
  seed: number,
  transport: Transport,
  observer: CallObserver,
): Promise<Outcome> {
  let tokens = 0;
  const client = createClient({
    baseUrl: "https://api.example",
    transport,
    credentials: {
      bearer: () => Promise.resolve("T0"),
      renew: () => Promise.resolve(`T${(tokens += 1)}`),
      apiKey: () => Promise.resolve("K"),
    },
    rateLimiter: false,
    clock: jumpingClock(),
    random: () => 0,
    // Some calls wait for a slot, and some don't.
    maxWaitMs: seed % 3 === 0 ? 0 : Infinity,
    observer,
  });
  try {
    return await sends[operation](client);
  } catch (error) {
    if (error instanceof ComandaError) return error;
    throw error;
  }
}

/** @param done how often this call, or this run, has changed something */
function* faultsOf(told: Kept, kept: Kept, { authors, isAmbiguous }: Line, done: number): Generator<string> {
  const { outcome, evidence } = told;
  if (outcome === "done" && done === 0) yield "It is told as done, and it isn't.";
  if ((outcome === "refused" || outcome === "failed") && done > 0)
    yield `It is told as ${outcome}, and it is done.`;
  if (outcome === "unknown" && !isAmbiguous) yield "It is told as unknown, though nothing was in doubt.";
  if (outcome === "done" && evidence !== "api") yield "It is done by somebody else's word.";
  if (evidence === "api" && !authors.includes("service")) yield "The service has said nothing.";
  if (evidence === "gateway" && authors.every((author) => author === "unsent")) yield "No answer came.";
  if ((evidence === null) !== authors.every((author) => author === "unsent"))
    yield `${evidence ?? "null"} is not whether something was sent.`;
  const journal = Object.values(factsOf(kept)).join(" ");
  if (journal !== Object.values(told).join(" ")) yield `The journal has ${journal}.`;
}
