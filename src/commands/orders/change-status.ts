/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel` differ only in a row of a table. */
import type { CancelInput } from "../../contract/models.js";
import type { DescribedRequest } from "../../client/describe-request.js";
import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { OrderCredential } from "../../state/journal/fingerprint.js";
import { runPattern } from "../../state/journal/run-id.js";
import type { Command, CommandDescription, OptionDescription } from "../../toolkit/command.js";
import { wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import { showRequests } from "../../toolkit/dry-run.js";
import { checkCount, expectOption, parseExpectedCount } from "../../toolkit/whole-list.js";
import { confirmOption, noJournalOption, writeOptionsOf, type WriteOptions } from "../../toolkit/writes.js";

import { orderActions } from "./actions.js";
import { changeOrders, changesError, presentChanges, type ChangesResult } from "./change-orders.js";
import { confirmCancel } from "./confirm-cancel.js";
import { parseOrderIds, readOrderIds, type OrderIds } from "./order-ids.js";
import { findRunToResume, unsentOrders, type ResumeOptions, type ResumedRun } from "./order-run.js";
import { expectManyCalls } from "../../toolkit/many-calls.js";
import { withConnection } from "../../toolkit/with-connection.js";

export interface ChangeStatusOptions extends WriteOptions {
  /** `run` stands for the orders of the resumed run. */
  readonly orders: OrderIds | "run";
  /** Continues an earlier run. */
  readonly resume: ResumeOptions | undefined;
  /** The list must have so many orders. */
  readonly expected: number | undefined;
  /** The only credential that calls may be signed with. */
  readonly auth: OrderCredential | undefined;
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
}

export type ChangeStatusResult =
  | { readonly kind: "requests"; readonly requests: readonly DescribedRequest[] }
  /** The person answered no. */
  | { readonly kind: "declined" }
  | ChangesResult;

const examplesOf = (verb: string) => [
  `orders ${verb} 4711`,
  `orders ${verb} 4711 4712 4713`,
  `orders ${verb} - --json < ids.txt`,
];

const descriptions: Readonly<
  Record<StatusChange, Pick<CommandDescription, "summary" | "description" | "examples">>
> = {
  dispatch: {
    summary: "send orders on their way, or have them wait for pickup",
    description: "Delivery orders go out for delivery; takeout and onsite orders wait for pickup.",
    examples: examplesOf("dispatch"),
  },
  deliver: {
    summary: "mark delivery orders as delivered",
    description: "Only delivery orders that are out for delivery can be delivered.",
    examples: examplesOf("deliver"),
  },
  finalize: {
    summary: "finalize orders",
    description: "A finalized order can't be changed any more.",
    examples: examplesOf("finalize"),
  },
  cancel: {
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

/** The values of `--auth`. */
const credentials: ReadonlyMap<string, OrderCredential> = new Map([
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
    default: "16",
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

function changeStatus(action: StatusChange): Command<ChangeStatusOptions, ChangeStatusResult> {
  return {
    description: {
      usage: `${action} [id...]`,
      ...descriptions[action],
      takes: ["store", "dryRun", "format"],
      options: [
        ...(action === "cancel" ? [...cancelOptions, confirmOption] : [confirmStoreOption]),
        ...commonOptions,
        // A second dispatch may do something twice.
        ...(action === "dispatch" ? [] : [retryUnknownOption]),
      ],
    },

    parse: (line) => ({
      ...writeOptionsOf(line),
      ...parseList(line),
      expected: parseExpectedCount(line),
      auth: credentials.get(line.text("--auth") ?? ""),
      concurrency: wholeNumber(line, "--concurrency", { least: 1, most: 256 }),
      okIfAlready: line.flag("--ok-if-already"),
      reason: parseReason(line.text("--reason")),
      yes: line.flag("--yes"),
      confirm: line.text("--confirm"),
    }),

    async run(machine, options) {
      const { context, output } = machine;
      const { resume, expected, auth, noJournal, confirm, store, dryRun } = options;
      const isList = options.orders === "stdin";
      const list = isList
        ? await readOrderIds(context, (text) => output.warn(text), expectManyCalls)
        : options.orders;
      const ids = list === "run" ? undefined : list;
      if (ids) checkCount(ids.length, expected);
      if (noJournal && ids?.length !== 1) throw severalWithoutJournal();
      return withConnection(machine, { store, auth, noJournal, confirm }, async (connection) => {
        const resumedRun =
          resume && (await findRunToResume(machine, connection, action, { ...resume, confirm }, ids));
        const orders = resumedRun?.orders ?? ids ?? [];
        checkCount(orders.length, expected);
        const input = inputOf(options.reason, resumedRun);
        if (dryRun) {
          const unsent = resumedRun ? await unsentOrders(machine, resumedRun) : orders;
          const requests = unsent.map((order) =>
            connection.describer.operation(orderActions[action].operation, { order_id: order, ...input }),
          );
          return { kind: "requests", requests };
        }
        if (action === "cancel" && !(await confirmCancel(machine, connection, orders, options.yes)))
          return { kind: "declined" };
        return await changeOrders(machine, connection, {
          ...{ action, orders, input, resumedRun, announcesRun: isList },
          ...{ okIfAlready: options.okIfAlready, concurrency: options.concurrency },
          store: store === undefined ? undefined : connection.store,
        });
      });
    },

    async present(result, output) {
      if (result.kind === "requests") showRequests(output, result.requests);
      else if (result.kind === "declined") output.notice(t`Nothing was canceled.`);
      else await presentChanges(result, output, action);
    },

    failure: (result) =>
      result.kind === "one" || result.kind === "several" ? changesError(result) : undefined,
  };
}

function parseList(line: CommandLine): Pick<ChangeStatusOptions, "orders" | "resume"> {
  const runText = line.text("--resume");
  const retryUnknown = line.flag("--retry-unknown");
  // "-" behind --resume is the list on stdin and no run.
  const words = runText === "-" ? ["-", ...line.words] : line.words;
  if (runText === undefined && !line.flag("--resume")) {
    if (retryUnknown) throw new ComandaError("usage", t`--retry-unknown goes with --resume alone.`);
    if (words.length === 0) throw missingIds();
    return { orders: parseOrderIds(words), resume: undefined };
  }
  if (line.flag("--no-journal"))
    throw new ComandaError("usage", t`--resume and --no-journal contradict each other.`);
  const run = runText === undefined || runText === "-" ? undefined : parseRun(runText);
  if (words.length === 0 && run === undefined) throw missingIds();
  const orders = words.length === 0 ? "run" : parseOrderIds(words);
  return { orders, resume: { run, retryUnknown } };
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
function severalWithoutJournal(): ComandaError {
  return new ComandaError("usage", t`--no-journal goes with one order alone.`, {
    hint: t`A run of several that is cut short can't be gone on with then.`,
  });
}

function parseReason(reason: string | undefined): string | undefined {
  if (reason?.trim() !== "") return reason;
  throw new ComandaError("usage", t`--reason can't be empty.`, {
    hint: t`Leave it out to cancel without a reason.`,
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

export const statusCommands = {
  dispatch: changeStatus("dispatch"),
  deliver: changeStatus("deliver"),
  finalize: changeStatus("finalize"),
  cancel: changeStatus("cancel"),
} as const satisfies Readonly<Record<StatusChange, unknown>>;
