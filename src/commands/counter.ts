/** `comanda counter` is one prompt for an evening: each line is the command that it stands for, its outcome in one line. */
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";

import type { StatusChange } from "../api/operations.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { orderIds } from "../cli/input.js";
import { askYesNo, wrapMessage } from "../cli/prompts.js";
import { openConnection, type Connection } from "../cli/connection.js";
import { localTime } from "../cli/text.js";
import { ComandaError } from "../base/errors.js";
import { t, translated } from "../languages/language.js";
import { numberFormat } from "../sales/preferences.js";
import { fetchSales } from "../sales/collect.js";
import { driverOf, driversNamed, nameOf, readDrivers, type KnownDriver } from "./driver.js";
import { salesRequest } from "./figures.js";
import { endsAll, orderActions, orderError, sendChange } from "./orders.js";

export default function counter(command: Command): void {
  command
    .details(
      [
        "Type one line for each action:",
        "  d 4711 bia       assign a driver and dispatch",
        "  e 4711 4712      mark as delivered",
        "  f 4711 4712      finalize",
        "  c 4711 no dough  cancel with that reason, after confirmation",
        "  Enter            show today's figures",
        "  ? or help        list these actions",
        "  q or quit        quit",
      ].join("\n"),
      "Tab completes a driver's name.",
    )
    .takes("store")
    .examples("counter", "counter --store centro")
    .does(serve);
}

/** The rest of a paste arrives within so many milliseconds. */
const pasteMs = 100;

async function serve(context: Context): Promise<void> {
  const { output, signal } = context;
  if (!context.canAsk())
    throw new ComandaError("usage", t`The counter needs a person at a terminal.`, {
      hint: t`Without one: comanda orders dispatch, deliver, finalize and cancel; comanda driver assign; comanda summary --period today`,
    });
  const connection = await openConnection(context, context.options.store);
  await showFigures(context, connection);
  const drivers = await readDrivers(context, connection.label, connection.fingerprint());
  const lines = createInterface({
    input: context.stdin(),
    output: context.stderr.stream,
    terminal: true,
    prompt: "",
    completer: (line: string) => completed(line, drivers),
  });
  const ended = new AbortController();
  lines.on("close", () => ended.abort());
  // The terminal is read by the key here, also while a line is obeyed: Ctrl-C is a signal all the same.
  lines.on("SIGINT", () => context.host.kill(context.host.pid, "SIGINT"));
  // Lines that are typed or pasted while an earlier one runs wait for the prompt.
  const waiting: string[] = [];
  lines.on("line", (line) => waiting.push(line));
  const options = { signal: AbortSignal.any([signal, ended.signal]) };
  const moveToEnd = () => lines.write(null, { ctrl: true, name: "e" });
  const ask = async (question: string) => {
    const answer = lines.question(`${wrapMessage(context.stderr, question)} `, options);
    // readline moves the cursor before what was typed earlier.
    moveToEnd();
    return (await answer).trim();
  };
  // Only what is typed after the question answers it. The beginning of a line is put aside for the prompt.
  const confirm = async (question: string) => {
    await delay(pasteMs, undefined, options);
    const begun = lines.line;
    moveToEnd();
    lines.write(null, { ctrl: true, name: "u" });
    const answer = await ask(question);
    lines.write(begun);
    // An answer has one word, so this is a late line of a paste.
    if (answer.includes(" ")) waiting.push(answer);
    return answer;
  };
  const prompt = `${connection.label}>`;
  try {
    for (;;) {
      const next = waiting.shift()?.trim();
      if (next !== undefined) output.notice(`${prompt} ${next}`);
      const line = next ?? (await ask(prompt));
      if (/^(q|quit|exit|sair)$/i.test(line)) return;
      await obey(context, connection, line, confirm).catch((error: unknown) => tell(context, error));
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!ended.signal.aborted) throw error;
  } finally {
    lines.close();
    for (const line of waiting) if (line.trim() !== "") output.warn(t`Not processed: ${line}`);
  }
}

/** Shows an error and its hint, so that the prompt goes on. */
function tell({ output, signal }: Context, error: unknown): void {
  if (signal.aborted || !(error instanceof ComandaError)) throw error;
  const { code, message, details, hint } = error;
  // Only the service knows what it refuses about a request.
  output.words(code === "invalid_request" && details !== null ? `${message} ${details}` : message);
  for (const line of hint?.split("\n") ?? []) output.words(`  ${line}`);
}

const actions: Readonly<Record<string, StatusChange>> = {
  d: "dispatch",
  e: "deliver",
  f: "finalize",
  c: "cancel",
};

async function obey(
  context: Context,
  connection: Connection,
  line: string,
  confirm: (question: string) => Promise<string>,
): Promise<void> {
  const { output, signal } = context;
  const { client, label } = connection;
  const [key = "", ...typed] = line.split(/\s+/);
  if (key === "") return showFigures(context, connection);
  const action = actions[key.toLowerCase()];
  if (action === undefined || typed.length === 0) {
    output.words(
      t`d ORDER [DRIVER] dispatches, e ORDER… delivers, f ORDER… finalizes, c ORDER [REASON] cancels; Enter: today's figures; q exits.`,
    );
    return;
  }
  const takesSeveral = action === "deliver" || action === "finalize";
  const orders = orderIds(
    (takesSeveral ? typed : typed.slice(0, 1)).entries(),
    (index) => t`argument ${index + 1}`,
  );
  const words = takesSeveral ? "" : typed.slice(1).join(" ");
  for (const order of orders) {
    try {
      if (action === "dispatch" && words !== "") {
        const driver = await driverOf(context, connection, words);
        await client.assignDriver(order, { driver_id: driver.id }, { signal });
        output.words(t`Driver ${nameOf(driver)} assigned to order ${order}.`);
      }
      const question = t`Cancel order ${order} at ${label}? This can't be undone.`;
      if (action === "cancel" && !(await askYesNo(context, question, false, confirm))) {
        output.words(t`Nothing was canceled.`);
        return;
      }
      const input = action === "cancel" && words !== "" ? { cancellation_reason: words } : {};
      const came = await sendChange(client, action, order, input, { signal });
      if (came instanceof ComandaError) throw came;
      output.words(t`Order ${order} ${translated(orderActions[action].done)} at ${label}.`);
    } catch (error) {
      if (!(error instanceof ComandaError) || error.code === "invalid_input") throw error;
      const ofOrder = orderError(error, order, label);
      if (endsAll.includes(error.code)) throw ofOrder;
      tell(context, ofOrder);
    }
  }
}

/** Today's figures, in two lines. Without a sign-in that sees them the counter works all the same. */
async function showFigures(context: Context, { label }: Connection): Promise<void> {
  const { output } = context;
  try {
    const asked = await fetchSales(context, "counter", salesRequest({ period: "today" }), [undefined]);
    const [store] = asked?.[0]?.stores ?? [];
    if (!store || "error" in store) return;
    const { rows, askedAt, period } = store.current;
    const { orders, revenue } = rows[0] ?? { orders: 0, revenue: 0 };
    output.words(t`Today at ${label}, asked at ${localTime(askedAt, period.zone)}:`);
    output.words(numberFormat(store).sold(orders, revenue));
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ComandaError)) throw error;
    output.words(error.message);
  }
}

/** Completes the name behind `d 4711 `. */
function completed(line: string, drivers: readonly KnownDriver[]): [string[], string] {
  const [, start] = /^d\s+\S+\s+(.*)$/i.exec(line) ?? [];
  if (start === undefined) return [[], line];
  return [driversNamed(drivers, start).map(({ name }) => name), start];
}
