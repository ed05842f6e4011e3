/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel` differ only in a row of a table. */
import type { CancelInput } from "../../contract/models.js";
import type { DescribedRequest } from "../../client/describe-request.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { plural, t } from "../../shared/language.js";
import { runPattern } from "../../state/journal/run-id.js";
import type { Command, CommandDescription, OptionDescription } from "../../toolkit/command.js";
import { oneStore, wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import type { PinnedCredential } from "../../toolkit/target.js";
import type { Connection } from "../../toolkit/connection.js";
import { showRequests } from "../../toolkit/dry-run.js";
import type { Machine } from "../../toolkit/machine.js";
import { placeInQuestion } from "../../toolkit/confirmation.js";
import { checkCount, expectOption, parseExpectedCount } from "../../toolkit/whole-list.js";
import { confirmOption, noJournalOption } from "../../toolkit/writes.js";

import {
  changeOrders,
  changesError,
  presentChanges,
  type ChangesResult,
  type StatusVerb,
} from "./change-orders.js";
import { parseOrderIds, readOrderIds, type OrderIds } from "./order-ids.js";
import { lastChangeText } from "./last-change.js";
import { findRunToResume, unsentOrders, type ResumeOptions, type ResumedRun } from "./order-run.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";

export interface ChangeStatusOptions {
  /** `run` stands for the orders of the resumed run. */
  readonly orders: OrderIds | "run";
  /** Continues an earlier run. */
  readonly resume: ResumeOptions | undefined;
  /** The list must have so many orders. */
  readonly expected: number | undefined;
  /** Send without a line in the journal. */
  readonly noJournal: boolean;
  /** The only credential that calls may be signed with. */
  readonly auth: PinnedCredential | undefined;
  /** At most so many orders are out at once. */
  readonly concurrency: number;
  /** Does a change count as done that was done before? */
  readonly okIfAlready: boolean;
  /** The service keeps it with a canceled order. */
  readonly reason: string | undefined;
  /** Cancel without asking. */
  readonly yes: boolean;
  /** The store that `--confirm` names. */
  readonly confirm: string | undefined;
  readonly store: string | undefined;
  readonly dryRun: boolean;
}

export type ChangeStatusResult =
  | {
      readonly kind: "requests";
      readonly requests: readonly DescribedRequest[];
      /** The number of orders of a resumed run that are shown again and not sent. */
      readonly settledCount: number;
    }
  /** The person answered no. */
  | { readonly kind: "declined" }
  | ChangesResult;

type Verb = StatusVerb & Pick<CommandDescription, "summary" | "description" | "examples">;

const examplesOf = (verb: string) => [
  `orders ${verb} 4711`,
  `orders ${verb} 4711 4712 4713`,
  `orders ${verb} - --json < ids.txt`,
];

const verbs: Readonly<Record<StatusChange, Verb>> = {
  dispatch: {
    action: "dispatch",
    operation: "dispatchOrder",
    done: "dispatched",
    send: (client, order, _, options) => client.dispatchOrder(order, options),
    summary: "send orders on their way, or have them wait for pickup",
    description: "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.",
    examples: examplesOf("dispatch"),
  },
  deliver: {
    action: "deliver",
    operation: "deliverOrder",
    done: "delivered",
    send: (client, order, _, options) => client.deliverOrder(order, options),
    summary: "mark delivery orders as delivered",
    description: "Only delivery orders that are out for delivery can be delivered.",
    examples: examplesOf("deliver"),
  },
  finalize: {
    action: "finalize",
    operation: "finalizeOrder",
    done: "finalized",
    send: (client, order, _, options) => client.finalizeOrder(order, options),
    summary: "finalize orders",
    description: "A finalized order can't be changed any more.",
    examples: examplesOf("finalize"),
  },
  cancel: {
    action: "cancel",
    operation: "cancelOrder",
    done: "canceled",
    send: (client, order, input, options) => client.cancelOrder(order, input, options),
    summary: "cancel orders",
    description:
      "A canceled order can't be changed any more. At a terminal a cancel asks first; --yes skips the question, and canceling several takes it where nobody can be asked.",
    examples: [
      'orders cancel 4711 --reason "The kitchen is closed"',
      "orders cancel 4711 4712 --yes",
      "orders cancel - --yes --json < ids.txt",
    ],
  },
};

/** The options of a change by default. */
export const defaultChange = {
  ...{ resume: undefined, expected: undefined, noJournal: false, auth: undefined, okIfAlready: false },
  ...{ concurrency: 16, reason: undefined, yes: false, confirm: undefined, dryRun: false },
} as const satisfies Omit<ChangeStatusOptions, "orders" | "store">;

/** The values of `--auth`. */
const credentials: ReadonlyMap<string, PinnedCredential> = new Map([
  ["bearer", "bearer"],
  ["key", "api_key"],
]);

const commonOptions: readonly OptionDescription[] = [
  {
    flags: "--ok-if-already",
    description:
      "for jobs that may run twice: an order that this machine did the same to before, and nothing since, counts as done " +
      "where the service refuses it (4002)",
    rare: true,
  },
  {
    flags: "--auth <kind>",
    description: "sign with this alone; else the access token, or the key where none works",
    choices: [...credentials.keys()],
    rare: true,
  },
  {
    flags: "--concurrency <number>",
    description: "orders under way at once",
    default: String(defaultChange.concurrency),
    rare: true,
  },
  {
    flags: "--resume [run]",
    description:
      "go on with an earlier run of several orders: the last one that has this list, or the one named",
    rare: true,
  },
  { ...expectOption, rare: true },
  { ...noJournalOption, rare: true },
];

const retryUnknownOption: OptionDescription = {
  flags: "--retry-unknown",
  description:
    "with --resume: send orders again of which nothing is known; one that is done is refused with 4002",
  rare: true,
};

const cancelOptions: readonly OptionDescription[] = [
  { flags: "--reason <text>", description: "why; kept with the order (section 4.2)" },
  { flags: "-y, --yes", description: "cancel without asking" },
];

const confirmStoreOption: OptionDescription = {
  ...confirmOption,
  description: "the store that is meant; --resume asks for it after another sign-in",
  rare: true,
};

function changeStatus(verb: Verb): Command<ChangeStatusOptions, ChangeStatusResult> {
  const { action, summary, description, examples } = verb;
  return {
    description: {
      usage: `${action} [id...]`,
      summary,
      ...(description !== undefined && { description }),
      takes: ["store", "dryRun", "format"],
      options: [
        ...(action === "cancel" ? [...cancelOptions, confirmOption] : [confirmStoreOption]),
        ...commonOptions,
        // A second dispatch may do something twice.
        ...(action === "dispatch" ? [] : [retryUnknownOption]),
      ],
      examples,
    },

    parse: (line) => ({
      ...parseList(line),
      expected: parseExpectedCount(line),
      auth: credentials.get(line.text("--auth") ?? ""),
      concurrency: wholeNumber(line, "--concurrency", { least: 1, most: 256 }),
      okIfAlready: line.flag("--ok-if-already"),
      reason: parseReason(line.text("--reason")),
      yes: line.flag("--yes"),
      confirm: line.text("--confirm"),
      store: oneStore(line.globals),
      dryRun: line.globals.dryRun,
    }),

    async run(
      machine,
      {
        orders: idsOrRun,
        resume,
        expected,
        auth,
        noJournal,
        concurrency,
        okIfAlready,
        reason,
        yes,
        confirm,
        store,
        dryRun,
      },
    ) {
      const { context, output } = machine;
      const selection =
        idsOrRun === "stdin"
          ? await readOrderIds(context, (text) => output.warn(text), expectManyCalls)
          : idsOrRun;
      const list = selection === "run" ? undefined : selection;
      if (list) checkCount(list.length, expected);
      refuseSeveral(noJournal, list);
      const { openConnection } = await import("../../toolkit/connection.js");
      const connection = await openConnection(machine, { store, auth, noJournal, confirm });
      const { describer } = connection;
      try {
        const resumedRun =
          resume && (await findRunToResume(machine, connection, action, { ...resume, confirm }, list));
        const orders = resumedRun?.orders ?? list ?? [];
        checkCount(orders.length, expected);
        const input = inputOf(reason, resumedRun);
        if (dryRun) {
          const unsent = resumedRun ? await unsentOrders(machine, resumedRun) : orders;
          const requests = unsent.map((order) =>
            describer.operation(verb.operation, { order_id: order, ...input }),
          );
          return { kind: "requests", requests, settledCount: orders.length - unsent.length };
        }
        if (action === "cancel" && !(await confirmCancel(machine, connection, { orders, yes })))
          return { kind: "declined" };
        return await changeOrders(machine, connection, {
          verb,
          orders,
          input,
          okIfAlready,
          concurrency,
          resumedRun,
          announcesRun: idsOrRun === "stdin",
          store: store === undefined ? undefined : connection.store,
        });
      } finally {
        await connection.close();
      }
    },

    async present(result, output) {
      if (result.kind === "requests") {
        if (result.settledCount > 0) output.notice(settledText(result.settledCount));
        showRequests(output, result.requests);
      } else if (result.kind === "declined") output.notice(t`Nothing was canceled.`);
      else await presentChanges(result, output, verb);
    },

    failure: (result) =>
      result.kind === "one" || result.kind === "several" ? changesError(result) : undefined,
  };
}

function settledText(told: number): string {
  return plural(told, {
    one: t`1 order of the run would be told again and not sent: it is done, refused or unknown.`,
    other: t`${told} orders of the run would be told again and not sent: they are done, refused or unknown.`,
  });
}

function parseList(line: CommandLine): Pick<ChangeStatusOptions, "orders" | "resume" | "noJournal"> {
  const runText = line.text("--resume");
  const retryUnknown = line.flag("--retry-unknown");
  const noJournal = line.flag("--no-journal");
  // "-" behind --resume is the list on stdin and no run.
  const words = runText === "-" ? ["-", ...line.words] : line.words;
  if (runText === undefined && !line.flag("--resume")) {
    if (retryUnknown) throw new ComandaError("usage", t`--retry-unknown goes with --resume alone.`);
    if (words.length === 0) throw missingIds();
    return { orders: parseOrderIds(words), resume: undefined, noJournal };
  }
  if (noJournal) throw new ComandaError("usage", t`--resume and --no-journal contradict each other.`);
  const run = runText === undefined || runText === "-" ? undefined : parseRun(runText);
  if (words.length === 0 && run === undefined) throw missingIds();
  const orders = words.length === 0 ? "run" : parseOrderIds(words);
  return { orders, resume: { run, retryUnknown }, noJournal };
}

function missingIds(): ComandaError {
  return new ComandaError("usage", t`The argument <id> is missing.`, {
    hint: t`Give order ids, or "-" for ids on stdin. --resume <run> needs no list.`,
  });
}

function parseRun(text: string): string {
  if (runPattern.test(text)) return text;
  throw new ComandaError("usage", t`"${text}" is no run.`, {
    hint: t`A run looks like 20261121-kzmwqa; \`comanda history\` shows them. Give the ids before --resume.`,
  });
}

/** Without the journal a run of several orders can't be resumed. */
function refuseSeveral(noJournal: boolean, orders: readonly string[] | undefined): void {
  if (!noJournal || orders?.length === 1) return;
  throw new ComandaError("usage", t`--no-journal goes with one order alone.`, {
    hint: t`A run of several that is cut short can't be gone on with then.`,
  });
}

/** @throws {ComandaError} `usage` where the resumed run has another reason */
function inputOf(reason: string | undefined, resumed: ResumedRun | undefined): CancelInput {
  if (resumed && reason !== undefined && reason !== resumed.reason) {
    throw new ComandaError("usage", t`The run ${resumed.id} was begun with another reason.`, {
      hint: t`Leave --reason out: the run's own is sent.`,
    });
  }
  const text = resumed ? resumed.reason : reason;
  return text === undefined ? {} : { cancellation_reason: text };
}

function parseReason(reason: string | undefined): string | undefined {
  if (reason?.trim() !== "") return reason;
  throw new ComandaError("usage", t`--reason can't be empty.`, {
    hint: t`Leave it out to cancel without a reason.`,
  });
}

async function confirmCancel(
  machine: Machine,
  connection: Connection,
  { orders, yes }: Pick<ChangeStatusOptions, "yes"> & { readonly orders: readonly string[] },
): Promise<boolean> {
  const subject = plural(orders.length, {
    one: t`order ${orders[0] ?? ""}`,
    other: t`${orders.length} orders`,
  });
  const confirmation = await connection.confirmCancel(subject);
  if (confirmation !== "unprotected") return confirmation === "confirmed";
  const [order = ""] = orders;
  const isSingle = orders.length === 1;
  if (yes || (isSingle && !machine.canAsk())) return true;
  if (machine.canAsk()) {
    const lastChange = isSingle ? await lastChangeText(machine, order, connection.store) : undefined;
    if (lastChange !== undefined) machine.output.notice(lastChange);
    return machine.askYesNo(t`Cancel ${subject} at ${placeInQuestion(connection)}? This can't be undone.`);
  }
  throw new ComandaError("usage", t`Canceling ${subject} needs --yes where nobody can be asked.`, {
    hint: t`A canceled order can't be brought back. Add --yes if that is what you want.`,
  });
}

export const dispatch = changeStatus(verbs.dispatch);
export const deliver = changeStatus(verbs.deliver);
export const finalize = changeStatus(verbs.finalize);
export const cancel = changeStatus(verbs.cancel);
