/** Prompts on stderr, because stdout contains only data. Callers must check `canAsk` first. */
import { Writable } from "node:stream";

import { ComandaError, isComandaError } from "../base/errors.js";
import { plainWords, t, translated } from "../languages/language.js";

import type { Context } from "./context.js";
import { printable, wrapWords } from "./text.js";

type Streams = Pick<Context, "stdin" | "stderr" | "signal">;

/** Reads a line of text without the blanks around it. */
export async function askText(streams: Streams, message: string, isSecret = false): Promise<string> {
  const { stdin, stderr, signal } = streams;
  const { createInterface } = await import("node:readline/promises");
  // What readline would show of a secret goes nowhere.
  const output = isSecret ? new Writable({ write: (_text, _encoding, done) => done() }) : stderr.stream;
  const lines = createInterface({ input: stdin(), output, terminal: true });
  const ended = new AbortController();
  // The end of the input isn't an answer.
  for (const event of ["SIGINT", "close", "error"]) lines.on(event, () => ended.abort());
  const question = `${wrapMessage(stderr, message)} `;
  if (isSecret) stderr.write(question);
  try {
    const signals = AbortSignal.any([signal, ended.signal]);
    return (await lines.question(isSecret ? "" : question, { signal: signals })).trim();
  } catch (error) {
    signal.throwIfAborted();
    throw ended.signal.aborted ? new ComandaError("interrupted", t`Interrupted.`) : error;
  } finally {
    lines.close();
    if (isSecret) stderr.write("\n");
  }
}

/** Reads a secret, which isn't shown on the screen; the message must say so. `signal` cancels the prompt. */
export async function askSecret(streams: Streams, message: string, signal = streams.signal): Promise<string> {
  return askText({ ...streams, signal }, message, true);
}

/** Waits for answers that are needed before anything is sent. If the user interrupts them, the error says that nothing was sent. */
export async function beforeSending<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((error: unknown) => {
    if (!isComandaError(error, "interrupted") && !isComandaError(error, "terminated")) throw error;
    throw error.reworded(`${error.message} ${t`Nothing was sent.`}`);
  });
}

/** Wraps a message, with room for the beginning of the answer after it. */
export function wrapMessage({ columns = 80 }: Streams["stderr"], message: string): string {
  const lines = message.split("\n").map((line) => printable(line));
  return wrapWords(lines.join("\n"), columns - 3);
}

/**
 * Asks a question until the answer is yes or no.
 *
 * @param assumed the answer if the user only presses Enter
 * @param ask reads a line of text
 */
export async function askYesNo(
  streams: Streams,
  message: string,
  assumed = false,
  ask = (question: string) => askText(streams, question),
): Promise<boolean> {
  const [yes, no] = [translated("yes").charAt(0), translated("no").charAt(0)];
  const choice = assumed ? `${yes.toUpperCase()}/${no}` : `${yes}/${no.toUpperCase()}`;
  const isA = (answer: string, word: "yes" | "no") =>
    [word, translated(word)].some((text) => answer === plainWords(text) || answer === text.charAt(0));
  for (;;) {
    const answer = plainWords(await ask(`${message} (${choice})`));
    if (answer === "") return assumed;
    if (isA(answer, "yes")) return true;
    if (isA(answer, "no")) return false;
  }
}
