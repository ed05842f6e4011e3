/** `comanda counter` is a prompt for an evening's orders: each line runs one command and prints its outcome in one line. */
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";

import type { StatusChange } from "../api/operations.js";
import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { completeCommandHint } from "../cli/hints.js";
import { orderIds } from "../cli/input.js";
import { askYesNo, wrapMessage } from "../cli/prompts.js";
import { openConnection, type Connection } from "../core/connection.js";
import { assignDriver, driverName, driversNamed, knownDrivers, type Driver } from "../core/drivers.js";
import { fetchPlanned, planFigures } from "../core/figures.js";
import { localTime } from "../cli/text.js";
import { ComandaError } from "../base/errors.js";
import { t, translated } from "../languages/language.js";
import { numberFormat } from "../views/amounts.js";
import { chooseDriver } from "../views/drivers.js";
import { showChanges } from "../views/outcome.js";

const usage = [
  "Type one line for each action:",
  "  d 4711 bia       assign a driver and dispatch",
  "  e 4711 4712      mark as delivered",
  "  f 4711 4712      finalize",
  "  c 4711 no dough  cancel with that reason, after confirmation",
  "  Tab              complete a driver's name",
  "  Enter            show today's figures",
  "  ? or help        list these actions",
  "  q or quit        quit",
].join("\n");

export default function counter(command: Command): void {
  command.details(usage).takes("store").examples("counter", "counter --store centro").does(serve);
}

/** All lines of a paste arrive within this time. */
const pasteMs = 100;

async function serve(context: Context): Promise<void> {
  const { output, signal } = context;
  if (!context.canAsk())
    throw new ComandaError("usage", t`comanda ${"counter"} requires a terminal.`, {
      hint: t`In scripts, use: comanda orders, comanda driver assign, comanda summary`,
    });
  const connection = await openConnection(context.workspace, context.options.store);
  await showFigures(context, connection);
  const drivers = await knownDrivers(connection);
  const lines = createInterface({
    input: context.stdin(),
    output: context.stderr.stream,
    terminal: true,
    prompt: "",
    completer: (line: string) => completed(line, drivers),
  });
  const ended = new AbortController();
  lines.on("close", () => ended.abort());
  // readline reads the terminal key by key, so Ctrl-C arrives here and not as a signal.
  lines.on("SIGINT", () => context.host.kill(context.host.pid, "SIGINT"));
  // Lines typed or pasted while an earlier one runs.
  const waiting: string[] = [];
  lines.on("line", (line) => waiting.push(line));
  const options = { signal: AbortSignal.any([signal, ended.signal]) };
  const moveToEnd = () => lines.write(null, { ctrl: true, name: "e" });
  const ask = async (question: string) => {
    const answer = lines.question(`${wrapMessage(context.stderr, question)} `, options);
    // readline puts the cursor before text that was typed earlier.
    moveToEnd();
    return (await answer).trim();
  };
  // Only text typed after the question answers it. A line begun earlier is restored at the prompt.
  const confirm = async (question: string) => {
    await delay(pasteMs, undefined, options);
    const begun = lines.line;
    moveToEnd();
    lines.write(null, { ctrl: true, name: "u" });
    const answer = await ask(question);
    lines.write(begun);
    // An answer is one word, so this is a late line of a paste.
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
      await runLine(context, connection, line, confirm).catch((error: unknown) => showError(context, error));
      // An interrupt ends the work on the line, whose outcome has been reported.
      signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!ended.signal.aborted) throw error;
  } finally {
    lines.close();
    for (const line of waiting) if (line.trim() !== "") output.warn(t`Not processed: ${line}`);
  }
}

/** Prints an error and its hint, so that the prompt goes on. */
function showError({ output }: Context, error: unknown): void {
  if (!(error instanceof ComandaError)) throw error;
  output.error(completeCommandHint(error));
}

const actions: Readonly<Record<string, StatusChange>> = {
  d: "dispatch",
  e: "deliver",
  f: "finalize",
  c: "cancel",
};

async function runLine(
  context: Context,
  connection: Connection,
  line: string,
  confirm: (question: string) => Promise<string>,
): Promise<void> {
  const { output } = context;
  const { label } = connection;
  const [key = "", ...typed] = line.split(/\s+/);
  if (key === "") return showFigures(context, connection);
  const action = actions[key.toLowerCase()];
  if (action === undefined || typed.length === 0) {
    const isHelp = /^(?:\?|help|ajuda)$/i.test(key);
    if (action === undefined && !isHelp) output.words(t`Unknown command ${`'${key}'`}.`);
    for (const each of translated(usage).split("\n")) output.words(each);
    return;
  }
  const isList = action === "deliver" || action === "finalize";
  const orders = orderIds(
    (isList ? typed : typed.slice(0, 1)).entries(),
    (index) => t`argument ${index + 1}`,
  );
  const words = isList ? "" : typed.slice(1).join(" ");
  const [order = ""] = orders;
  if (action === "dispatch" && words !== "") {
    const driver = await chooseDriver(connection, words, { ask: confirm });
    if (!driver) {
      output.words(t`Nothing was changed.`);
      return;
    }
    const { failure } = await assignDriver(connection, { order, driver });
    if (failure) throw failure.reworded(`${failure.message} ${t`The order was not dispatched.`}`);
    output.words(t`Driver ${driverName(driver)} assigned to order ${order}.`);
  }
  const question = t`Cancel order ${order} at ${label}? You can't undo this.`;
  if (action === "cancel" && !(await askYesNo(context, question, false, confirm))) {
    output.words(t`Nothing was changed.`);
    return;
  }
  const input = action === "cancel" && words !== "" ? { cancellation_reason: words } : {};
  const failure = await showChanges(context, connection, { action, orders, input });
  if (failure) throw failure;
}

/** Prints today's figures in two lines. An error is only printed: without access to figures, the orders still work. */
async function showFigures(context: Context, connection: Connection): Promise<void> {
  const { output, workspace } = context;
  try {
    const request = { period: { period: "today" }, freshness: "usual" } as const;
    const [result] = await fetchPlanned(await planFigures(workspace, connection, request, [{}]));
    const [store] = result?.stores ?? [];
    if (!store || "error" in store) return;
    const { rows, askedAt, period } = store.current;
    const { orders, revenue } = rows[0] ?? { orders: 0, revenue: 0 };
    output.words(t`Today at ${connection.label}, as of ${localTime(askedAt, period.zone)}:`);
    output.words(numberFormat(store).sold(orders, revenue));
  } catch (error) {
    if (context.signal.aborted || !(error instanceof ComandaError)) throw error;
    output.words(error.message);
  }
}

/** Completes the driver's name in a line such as `d 4711 bi`. */
function completed(line: string, drivers: readonly Driver[]): [string[], string] {
  const [, start] = /^d\s+\S+\s+(.*)$/i.exec(line) ?? [];
  if (start === undefined) return [[], line];
  return [driversNamed(drivers, start).map(({ name }) => name), start];
}
