/** Plays a sequence of what may come of each request, and says where what is told isn't the truth. */
import { createClient, type Client } from "../../src/client/client.js";
import type { Transport } from "../../src/client/transport.js";
import { ComandaError, type Outcome } from "../../src/client/errors.js";
import { orderLine, type OrderLine } from "../../src/commands/orders.js";
import { jumpingClock } from "../client/support/clock.js";
import {
  diceOf,
  steps,
  TruthfulService,
  type Beginning,
  type Dice,
  type Operation,
  type Reply,
} from "./service.js";

export interface Sequence {
  readonly operation: Operation;
  readonly beginning: Beginning;
  /** Of {@link steps}, one for each request; what comes after is answered. */
  readonly names: readonly string[];
  readonly seed: number;
}

type Send = (client: Client) => Promise<Outcome>;

const sends: Readonly<Record<Operation, Send>> = {
  dispatchOrder: (client) => client.dispatchOrder("7"),
  deliverOrder: (client) => client.deliverOrder("7"),
  finalizeOrder: (client) => client.finalizeOrder("7"),
  cancelOrder: (client) => client.cancelOrder("7"),
  assignDriver: (client) => client.assignDriver("7", { driver_id: 11 }),
  createPrefilledOrder: (client) => client.createPrefilledOrder({ order_type: "takeout" }),
  request: (client) => client.request({ method: "DELETE", path: "/api/partner/v1/coupons/7" }),
};
const lone: readonly Operation[] = ["assignDriver", "createPrefilledOrder", "request"];

/** The requests of a sequence, in turn. */
class Line {
  readonly told: string[] = [];
  readonly #names: string[];
  readonly #service: TruthfulService;
  readonly #dice: Dice;
  readonly #operation: Operation;
  isAmbiguous = false;
  authors: Reply["author"][] = [];

  constructor({ names, operation, beginning, seed }: Sequence) {
    this.#names = [...names];
    this.#operation = operation;
    this.#service = new TruthfulService(operation, beginning);
    this.#dice = diceOf(seed);
  }

  get isOver(): boolean {
    return this.#names.length === 0;
  }

  get done(): number {
    return this.#service.done;
  }

  readonly transport: Transport = {
    send: () => {
      const name = this.#names.shift() ?? "answered";
      const step = steps[name];
      if (!step) throw new Error(`nothing is called ${name}`);
      const own = step.reaches ? this.#service.process(this.#dice) : { status: 0, headers: {}, body: "" };
      const { answer, failure, author } = step.reply(own, this.#dice, this.#operation);
      if (step.isAmbiguous) this.isAmbiguous = true;
      this.authors.push(author);
      this.told.push(`${name}: ${answer ? `${answer.status} ${answer.body}` : (failure?.message ?? "")}`);
      return answer ? Promise.resolve(answer) : Promise.reject(failure ?? new Error("no reply"));
    },
    close: () => Promise.resolve(),
  };

  /** What was said so far is of an earlier call. */
  forget(): void {
    this.isAmbiguous = false;
    this.authors = [];
  }
}

/** @returns in words; none where all that was told is true */
export async function play(sequence: Sequence): Promise<readonly string[]> {
  const line = new Line(sequence);
  const broken: string[] = [];
  const story = () => `${sequence.operation}, ${sequence.beginning}: ${line.told.join("; ")}`;
  const report = (row: OrderLine, journal: Kept, done: number) => {
    line.told.push(`=> ${row.outcome} ${row.http_status ?? "-"} ${row.code ?? "-"} ${row.evidence ?? "-"}`);
    for (const what of faultsOf(row, journal, line, done)) broken.push(`${what} ${story()}`);
  };
  if (lone.includes(sequence.operation)) await playLone(sequence, line, report);
  else await playRun(sequence, line, report);
  return broken;
}

/** What a row of the journal has. */
type Kept = Pick<Outcome, "outcome" | "httpStatus" | "code" | "serviceCode" | "evidence">;

const noAnswer: Kept = {
  outcome: "unknown",
  httpStatus: null,
  code: null,
  serviceCode: null,
  evidence: "nobody",
};

type Report = (row: OrderLine, journal: Kept, done: number) => void;

/** What the journal has of an order, all processes together. */
class Written {
  attempts = 0;
  #last: Kept | undefined;
  /** Of whoever said something last. */
  #evidence: Kept["evidence"] = null;

  get result(): Kept {
    return this.#last ?? noAnswer;
  }

  sent(): void {
    this.attempts += 1;
    this.#last = noAnswer;
  }

  outcome(result: Kept): void {
    this.#evidence = result.evidence ?? this.#evidence;
    this.#last = { ...result, evidence: this.#evidence };
  }
}

/** A person begins anew as long as there is something left to come. */
async function playLone({ operation, seed }: Sequence, line: Line, report: Report): Promise<void> {
  do {
    line.forget();
    const before = line.done;
    const written = new Written();
    const row = await sent(operation, seed, line, written);
    report(row, written.result, line.done - before);
  } while (!line.isOver);
}

/** A list that is gone on with, once for each process that it takes. */
async function playRun({ operation, seed }: Sequence, line: Line, report: Report): Promise<void> {
  const written = new Written();
  for (let processes = 0; processes < 4; processes += 1) {
    if (processes > 0 && ["done", "unknown"].includes(written.result.outcome)) return;
    const row = await sent(operation, seed, line, written);
    report({ ...row, evidence: row.evidence ?? written.result.evidence }, written.result, line.done);
    if (line.isOver) return;
  }
}

/** One call, as the command tells it and the journal has it. */
async function sent(
  operation: Operation,
  seed: number,
  { transport }: Line,
  written: Written,
): Promise<OrderLine> {
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
    // Some wait for a place within the limit, and some don't.
    maxWaitMs: seed % 3 === 0 ? 0 : Infinity,
    // As the journal does.
    observer: {
      sends: () => written.sent(),
      attempted: (_, { verdict }) => written.outcome(verdict),
    },
  });
  try {
    return orderLine("7", "dispatch", await sends[operation](client));
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    return orderLine("7", "dispatch", error);
  }
}

/** @param done how often this call, or this run, has changed something */
function* faultsOf(
  row: OrderLine,
  journal: Kept,
  { authors, isAmbiguous }: Line,
  done: number,
): Generator<string> {
  const { outcome, evidence } = row;
  if (outcome === "done" && done === 0) yield "It is told as done, and it isn't.";
  if (["refused", "failed", "skipped"].includes(outcome) && done > 0)
    yield `It is told as ${outcome}, and it is done.`;
  if (outcome === "unknown" && !isAmbiguous) yield "It is told as unknown, though nothing was in doubt.";
  if (outcome === "done" && evidence !== "api") yield "It is done by somebody else's word.";
  if (evidence === "api" && !authors.includes("service")) yield "The service has said nothing.";
  if (evidence === "gateway" && authors.every((author) => author === "unsent")) yield "No answer came.";
  if ((evidence === null) !== authors.every((author) => author === "unsent"))
    yield `${evidence ?? "null"} is not whether something was sent.`;
  const kept = [journal.outcome, journal.httpStatus, journal.code, journal.serviceCode, journal.evidence];
  if (kept.join() !== [outcome, row.http_status, row.code, row.service_code, evidence].join())
    yield `The journal has ${kept.join(" ")}.`;
}
