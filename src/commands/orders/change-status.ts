/** What `dispatch`, `deliver`, `finalize` and `cancel` have in common: all of it but their names. */
import { InvalidArgumentError, Option, type Command } from "commander";

import type { StatusChange } from "../../contract/operations.js";
import { ComandaError } from "../../shared/errors.js";
import type { PinnedCredential } from "../connection.js";
import { canAsk, type Context } from "../context.js";
import { leaf, perform, type Invocation } from "../leaf.js";

import { readOrderIds } from "./order-ids.js";

export interface ChangeStatusDescription {
  readonly action: StatusChange;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
}

const credentials: ReadonlyMap<string, PinnedCredential> = new Map([
  ["bearer", "bearer"],
  ["key", "api_key"],
]);

interface ChangeStatusOptions {
  readonly auth?: string;
  readonly concurrency: number;
  readonly reason?: string;
  readonly yes?: boolean;
}

const defaultConcurrency = 16;

export function changeStatusCommand(context: Context, description: ChangeStatusDescription): Command {
  const { action } = description;
  const command = leaf({ ...description, usage: `${action} <id...>`, takes: ["store", "dryRun", "format"] });
  command.addOption(
    new Option(
      "--auth <kind>",
      "sign with this alone; else the access token, or the key where none works",
    ).choices([...credentials.keys()]),
  );
  command.option("--concurrency <number>", "orders under way at once", concurrency, defaultConcurrency);
  if (action === "cancel") {
    command.option("--reason <text>", "why, kept with the order");
    command.option("-y, --yes", "cancel several orders without asking");
  }
  return perform(command, context, (invocation, ids) =>
    changeStatus(invocation, action, command.opts<ChangeStatusOptions>(), ids),
  );
}

async function changeStatus(
  invocation: Invocation,
  action: StatusChange,
  options: ChangeStatusOptions,
  given: readonly string[],
): Promise<void> {
  const { context, globals, output } = invocation;
  const orders = await readOrderIds(given, context);
  const reason = options.reason?.trim() === "" ? undefined : options.reason;
  const { openConnection } = await import("../connection.js");
  const auth = options.auth === undefined ? undefined : credentials.get(options.auth);
  const connection = await openConnection(invocation, "login", auth);
  try {
    if (globals.dryRun) {
      const [{ showRequests }, { statusChanges }] = await Promise.all([
        import("../dry-run.js"),
        import("../../contract/operations.js"),
      ]);
      showRequests(
        output,
        orders.map((order) =>
          connection.client.describeRequest(
            statusChanges[action].id,
            { order_id: order, ...(reason !== undefined && { cancellation_reason: reason }) },
            connection.available,
          ),
        ),
      );
      return;
    }
    if (action === "cancel" && orders.length > 1 && !options.yes) {
      if (!(await confirmCancel(invocation, orders.length, connection.label))) {
        output.notice("Nothing was canceled.");
        return;
      }
    }
    const { runStatusChanges } = await import("./run-status-changes.js");
    await runStatusChanges(invocation, {
      client: connection.client,
      place: connection.place,
      action,
      orders,
      concurrency: options.concurrency,
      ...(reason !== undefined && { reason }),
    });
  } finally {
    await connection.close();
  }
}

async function confirmCancel(
  { context, globals }: Invocation,
  count: number,
  store: string,
): Promise<boolean> {
  if (!canAsk(context, globals)) {
    throw new ComandaError("usage", `Canceling ${count} orders needs --yes where nobody can be asked.`, {
      hint: "A canceled order can't be brought back. Add --yes if that is what you want.",
    });
  }
  const { askYesNo } = await import("../../terminal/prompt.js");
  return askYesNo(`Cancel ${count} orders at ${store}? This can't be undone.`, {
    input: context.stdin,
    output: context.stderr.stream,
    signal: context.signal,
  });
}

function concurrency(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 256) {
    throw new InvalidArgumentError("It takes a whole number from 1 to 256.");
  }
  return number;
}
