/** `comanda orders dispatch`, `deliver`, `finalize` and `cancel` (sections 4.2 to 4.5) change one order, or a list of orders. */
import { noChangeAfter, statusChangeNames, statusChangeTexts, type StatusChange } from "../api/operations.js";
import { ComandaError } from "../base/errors.js";
import { invalidValue, type Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { decodeText, orderIds, readInput } from "../cli/input.js";
import { askYesNo, beforeSending } from "../cli/prompts.js";
import { openConnection } from "../core/connection.js";
import { describeChanges } from "../core/orders.js";
import { plural, t, translated } from "../languages/language.js";
import { cancelQuestion, showChanges } from "../views/outcome.js";

const severalRequireYes = "Canceling several orders without a terminal requires --yes.";

const howToEnterIds =
  'Separate order ids with spaces. To read them from stdin, one per line, use "-". Lines that begin with # are ignored.';

interface ChangeOptions {
  readonly resume?: boolean;
  readonly reason?: string;
  readonly yes?: boolean;
}

export default function orders(group: Command): void {
  for (const action of statusChangeNames) {
    const { summary, paragraphs } = statusChangeTexts[action];
    const command = group
      .command(`${action} <id...>`)
      .about(
        summary,
        ...paragraphs,
        ...(action === "cancel" ? ([severalRequireYes] as const) : []),
        howToEnterIds,
        "A file without order ids is not an error.",
        "To continue an interrupted list, run the same command with --resume. comanda then skips changes done in the last 24 hours or recorded as done. It reports changes whose outcome is unknown, but doesn't send them again.",
        "Unknown: the request was sent, but no answer says whether the order was changed.",
      )
      .takes("store", "dryRun", "format")
      .option("--resume", "skip changes that are done or whose outcome is unknown")
      .does((context, options: ChangeOptions, words) => change(context, action, options, words));
    if (action === "cancel")
      command
        .option("--reason <text>", "reason for the cancellation, stored with the order")
        .option("-y, --yes", "skip the confirmation prompt")
        .examples(
          'orders cancel 4711 --reason "The kitchen is closed"',
          "orders cancel 4711 4712 --yes",
          "orders cancel - --yes --json < ids.txt",
        );
    else
      command.examples(
        `orders ${action} 4711`,
        `orders ${action} 4711 4712 4713`,
        `orders ${action} - --json < ids.txt`,
      );
  }
}

async function change(
  context: Context,
  action: StatusChange,
  { resume = false, reason, yes = false }: ChangeOptions,
  words: readonly string[],
): Promise<ComandaError | undefined> {
  const { output, workspace, options } = context;
  const orders = await readOrders(context, words);
  if (orders.length === 0) {
    output.notice(t`Nothing to do: stdin contains no order ids.`);
    return undefined;
  }
  if (reason?.trim() === "")
    throw invalidValue("--reason", reason, t`Run ${"comanda orders cancel"} --help for usage.`);
  const connection = await openConnection(workspace, options.store);
  const { label } = connection;
  const input = reason === undefined ? {} : { cancellation_reason: reason };
  const wanted = { action, orders, input, resume };
  if (options.dryRun) {
    output.requests(await describeChanges(connection, wanted));
    return undefined;
  }
  // Without a terminal, a single cancellation needs no confirmation.
  if (action === "cancel" && !yes && (orders.length > 1 || context.canAsk())) {
    if (!context.canAsk())
      throw new ComandaError("usage", `${translated(severalRequireYes)} ${t`Nothing was sent.`}`, {
        hint: translated(noChangeAfter),
      });
    if (!(await beforeSending(askYesNo(context, cancelQuestion(orders, label, reason))))) {
      output.notice(t`Nothing was changed.`);
      return undefined;
    }
  }
  return showChanges(context, connection, wanted);
}

/** Reads the ids from the arguments, or one a line from stdin; none from an empty file, or if all lines are ignored. */
async function readOrders(context: Context, words: readonly string[]): Promise<readonly string[]> {
  if (!words.includes("-")) return orderIds(words.entries(), (index) => t`argument ${index + 1}`);
  const hint = translated(howToEnterIds);
  if (words.length > 1)
    throw new ComandaError("usage", t`${'"-"'} must be the only argument. Nothing was sent.`, { hint });
  const { bytes, isFile } = await readInput(context, "-");
  if (bytes.length === 0 && !isFile)
    throw new ComandaError("invalid_input", t`stdin is empty.`, {
      hint: t`Check the command or file that supplies the ids.`,
    });
  const lines = decodeText(bytes)
    .split("\n")
    .map((line) => line.trim());
  const ignored = lines.filter((line) => /^#\s*\d+$/.test(line)).length;
  if (ignored > 0)
    context.output.notice(
      plural(ignored, {
        one: t`Ignored 1 line that looks like an order id, because it begins with #.`,
        other: t`Ignored ${ignored} lines that look like order ids, because they begin with #.`,
      }),
    );
  const typed = [...lines.entries()].filter(([, line]) => line !== "" && !line.startsWith("#"));
  return orderIds(typed, (index) => t`line ${index + 1}`, true, hint);
}
