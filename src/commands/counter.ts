/** `comanda counter` is a prompt for an evening's orders: each line runs one command and prints its outcome in one line. */
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";

import type { Command } from "../cli/command.js";
import type { Context } from "../cli/context.js";
import { hintFor } from "../cli/hints.js";
import { askYesNo, beforeSending, wrapMessage } from "../cli/prompts.js";
import { openConnection, type Connection } from "../core/connection.js";
import {
  assignDriver,
  describeAssignment,
  driverName,
  driversNamed,
  knownDrivers,
  type Driver,
} from "../core/drivers.js";
import { fetchPlanned, planFigures } from "../core/figures.js";
import { history } from "../core/history.js";
import { localTime, printable } from "../cli/text.js";
import { unlessAborted } from "../base/clock.js";
import { ComandaError, completeHint } from "../base/errors.js";
import { plainWords, t, translated } from "../languages/language.js";
import { chooseDriver } from "../views/drivers.js";
import { formatOf, numberFormat, settingsView } from "../views/amounts.js";
import { noOrders } from "../sales/figures.js";
import { cancelQuestion, showChanges } from "../views/outcome.js";
import { looksLikeLine, parseLine, usage, type OrderLine } from "./counter-line.js";

export default function counter(command: Command): void {
  command
    .details(usage)
    .takes("store")
    .printsText()
    .examples("counter", "counter --store centro")
    .does(serve);
}

/** All lines of a paste arrive within this time. */
const pasteMs = 100;

async function serve(context: Context): Promise<void> {
  const { output, signal } = context;
  if (!context.canAsk())
    throw new ComandaError("usage", t`comanda ${"counter"} requires a terminal.`, {
      hint: t`See: ${"comanda orders --help"}`,
    });
  const connection = await openConnection(context.workspace, context.options.store);
  const lines = createInterface({
    input: context.stdin(),
    output: context.stderr.stream,
    terminal: true,
    prompt: "",
    completer: async (line: string) => completed(line, await knownDrivers(shift.connection)),
  });
  const ended = new AbortController();
  /** Thrown by a question that isn't answered. */
  const endOfInput = new Error("end of input");
  // A terminal that has closed is an error or an end.
  for (const event of ["close", "error"]) lines.on(event, () => ended.abort());
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
    try {
      await delay(pasteMs, undefined, options);
      const begun = lines.line;
      moveToEnd();
      lines.write(null, { ctrl: true, name: "u" });
      const answer = await ask(question);
      // This is a late line of a paste. It isn't executed, because the question has visibly rejected it.
      if (looksLikeLine(answer)) output.words(t`Not processed: ${answer}`);
      lines.write(begun);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      // The end of the input isn't an answer.
      throw ended.signal.aborted ? endOfInput : error;
    }
  };
  const prompt = `${connection.label}>`;
  const nextLine = async () => {
    const next = waiting.shift()?.trim();
    if (next === undefined) return ask(prompt);
    output.notice(`${prompt} ${next}`);
    return next;
  };
  const shift: Shift = { context, connection, ask: confirm, orders: new Set(), drivers: new Set() };
  const report = (error: unknown) => {
    if (!(error instanceof ComandaError)) throw error;
    output.error(completeHint(error, hintFor));
  };
  try {
    // The first line is an empty one, which shows today's figures.
    for (let text = ""; ; text = await nextLine()) {
      try {
        const line = parseLine(text);
        if (line.action === "quit") return;
        await shift.connection.checkStoredSignIn();
        if ("orders" in line) {
          if (!(await changeOrders(shift, line))) output.words(t`Nothing was changed.`);
        } else if (line.action === "figures") {
          if (waiting.length === 0) await showFigures(shift);
        } else for (const each of translated(usage).split("\n")) output.words(each);
      } catch (error) {
        if (error instanceof ComandaError && error.hintFacts?.about === "new_sign_in")
          await useNewSignIn(shift, error).catch(report);
        else if (error === endOfInput) output.words(t`Nothing was sent.`);
        else report(error);
      } finally {
        context.endNotices();
      }
      // An interrupt ends the work on the line, whose outcome has been reported.
      signal.throwIfAborted();
      if (ended.signal.aborted) return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!ended.signal.aborted) throw error;
  } finally {
    lines.close();
    for (const line of waiting) if (line.trim() !== "") output.words(t`Not processed: ${line}`);
  }
}

interface Shift {
  readonly context: Context;
  /** Another one after a new sign-in. */
  connection: Connection;
  readonly ask: (question: string) => Promise<string>;
  /** The orders of earlier lines. */
  readonly orders: Set<string>;
  /** The drivers' ids that the user has confirmed. */
  readonly drivers: Set<string>;
}

/** Asks whether to continue after a new sign-in. Until then, nothing is sent or shown, because it may be to another store. */
async function useNewSignIn(shift: Shift, error: ComandaError): Promise<void> {
  const { context, connection, ask } = shift;
  const { output, workspace } = context;
  output.error(error.reworded(error.message, { hint: error.hint }));
  const question = t`Continue with the new sign-in to ${connection.label}?`;
  if (!(await askYesNo(context, question, false, ask))) return;
  shift.connection = await openConnection(workspace, connection.store);
  shift.orders.clear();
  shift.drivers.clear();
  await showFigures(shift);
}

/** @returns whether the user has confirmed everything that was asked */
async function changeOrders(shift: Shift, line: OrderLine): Promise<boolean> {
  const { context, connection, ask } = shift;
  const { action, orders, reason } = line;
  for (const order of orders) shift.orders.add(order);
  if (line.driver !== undefined && !(await assign(shift, line, line.driver))) return false;
  if (action === "assign") return true;
  if (action === "cancel") {
    const isOnlyNumbers = /^[#\d\s]+$/.test(reason ?? "");
    if (line.number !== undefined && (isOnlyNumbers || (await mayBeOrder(shift, line.number))))
      throw new ComandaError("invalid_input", t`"${line.number}" may be an order. Nothing was sent.`, {
        hint: t`For several orders, type one line for each. If the number is part of the reason, start the reason with another word.`,
      });
    const question = cancelQuestion(orders, connection.label, reason);
    if (!(await beforeSending(askYesNo(context, question, false, ask)))) return false;
  }
  const input = reason === undefined ? {} : { cancellation_reason: reason };
  const failure = await showChanges(context, connection, { action, orders, input });
  if (failure?.hintFacts?.about === "resume")
    throw failure.reworded(failure.message, { hint: t`To send what wasn't sent, type those orders again.` });
  if (failure) throw failure;
  return true;
}

/** @returns whether the user has confirmed the driver */
async function assign(
  { context, connection, ask, ...shift }: Shift,
  { action, orders: [order = ""], fee, number }: OrderLine,
  typed: string,
): Promise<boolean> {
  const { output } = context;
  const { label, store } = connection;
  // Any driver shows whether the store's credentials can assign one, before anything is asked.
  await describeAssignment(connection, { order, driver: { id: 1, name: null } });
  if (number !== undefined && !shift.drivers.has(number)) {
    const known = await knownDrivers(connection);
    const isKnown = known.some(({ id }) => String(id) === number);
    const isOrder = await mayBeOrder({ connection, ...shift }, number);
    if (!isKnown || isOrder) {
      const unknown =
        known.length > 0
          ? t`${number} isn't a known driver's id.`
          : t`The drivers' names aren't cached, so comanda can't check the id ${number}.`;
      const question = `${isOrder ? t`${number} may be an order.` : unknown} ${t`Assign driver ${number} to order ${order}?`}`;
      if (!(await beforeSending(askYesNo(context, question, false, ask)))) {
        shift.orders.add(number);
        return false;
      }
    }
    shift.drivers.add(number);
  }
  const driver = await beforeSending(chooseDriver(connection, number ?? typed, { ask }));
  if (!driver) return false;
  const { order: assigned, failure } = await assignDriver(connection, { order, driver, fee });
  if (failure)
    throw action === "dispatch"
      ? failure.reworded(`${failure.message} ${t`The order was not dispatched.`}`)
      : failure;
  const { amount } = formatOf(await settingsView(context), store);
  const returned = assigned?.value.driver_fee;
  const feeText =
    typeof returned === "number"
      ? ` ${t`Fee: ${amount(returned)}.`}`
      : fee === undefined
        ? ""
        : ` ${t`The response doesn't contain the fee.`}`;
  output.sentence(t`Driver ${driverName(driver)} assigned to order ${order} at ${label}.` + feeText);
  return true;
}

async function mayBeOrder(
  { connection: { workspace, store }, orders }: Pick<Shift, "connection" | "orders">,
  order: string,
): Promise<boolean> {
  return orders.has(order) || (await history(workspace, { store, order, limit: 1 })).changes.length > 0;
}

/** Shows today's figures. They are a convenience, so the first key that is typed ends their request, and a line doesn't wait for them. */
async function showFigures({ context, connection }: Shift): Promise<void> {
  const { output, stdin } = context;
  const typing = new AbortController();
  const signal = AbortSignal.any([context.signal, typing.signal]);
  const workspace = { ...context.workspace, signal };
  const fetch = async () =>
    fetchPlanned(await planFigures(workspace, { ...connection, workspace }, { period: "today" }, [{}]));
  const stop = () => typing.abort();
  stdin().once("keypress", stop);
  const fetched = await unlessAborted(signal, fetch())
    .catch((error: unknown) => {
      if (!typing.signal.aborted) throw error;
    })
    .finally(() => stdin().off("keypress", stop));
  const [store] = fetched?.[0]?.stores ?? [];
  if (!store || "error" in store) return;
  const { rows, askedAt, period } = store.current;
  const { orders, revenue } = rows[0] ?? noOrders;
  output.words(t`Today at ${connection.label}, as of ${localTime(askedAt, period.zone)}:`);
  output.words(numberFormat(store).sold(orders, revenue));
}

/** Completes the driver's name in a line such as `d 4711 bi`, and adds the id. */
function completed(line: string, drivers: readonly Driver[]): [string[], string] {
  const [, start] = /^[da]\s+\S+\s+(.*)$/i.exec(line) ?? [];
  if (start === undefined) return [[], line];
  const named = driversNamed(drivers, start);
  const isMeant = (driver: Driver) =>
    named.includes(driver) || plainWords(driverName(driver)).startsWith(plainWords(start));
  return [drivers.filter(isMeant).map((driver) => printable(driverName(driver))), start];
}
