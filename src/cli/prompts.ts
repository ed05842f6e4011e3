/** Prompts on stderr, because stdout contains only data. Callers must check `canAsk` first. */
import { Writable } from "node:stream";

import { ComandaError } from "../base/errors.js";
import { plainWords, t, translated } from "../languages/language.js";

import type { Context } from "./context.js";
import { printable, wrapWords } from "./text.js";

type Streams = Pick<Context, "stdin" | "stderr" | "signal">;

/** @param isSecret whether the answer isn't shown on the screen; the message must say so */
export async function askText(
  { stdin, stderr, signal }: Streams,
  message: string,
  isSecret = false,
): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const question = `${wrapMessage(stderr, message)} `;
  if (isSecret) stderr.write(question);
  const output = isSecret ? new Writable({ write: (_text, _encoding, done) => done() }) : stderr.stream;
  const lines = createInterface({ input: stdin(), output, terminal: true, historySize: 0 });
  const ended = new AbortController();
  // The end of the input isn't an answer.
  for (const event of ["SIGINT", "close"]) lines.on(event, () => ended.abort());
  try {
    const options = { signal: AbortSignal.any([signal, ended.signal]) };
    return (await lines.question(isSecret ? "" : question, options)).trim();
  } catch (error) {
    signal.throwIfAborted();
    throw ended.signal.aborted ? new ComandaError("interrupted", t`Interrupted.`) : error;
  } finally {
    lines.close();
    if (isSecret) stderr.write("\n");
  }
}

/** Wraps a message, with room for the answer after it. */
export function wrapMessage({ columns = 80 }: Streams["stderr"], message: string): string {
  return message
    .split("\n")
    .map((line) => wrapWords(printable(line), columns - 3))
    .join("\n");
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
