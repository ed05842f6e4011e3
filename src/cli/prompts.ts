/** Prompts on stderr, because stdout contains only data. Callers must check `canAsk` first. */
import { styleText } from "node:util";

import { ComandaError, isComandaError } from "../base/errors.js";
import { plainWords, t, translated } from "../languages/language.js";

import type { Context } from "./context.js";
import { printable, wrapWords } from "./text.js";

type Streams = Pick<Context, "stdin" | "stderr" | "signal">;

/** Reads a secret, which isn't shown on the screen; the message must say so. `signal` cancels the prompt. */
export async function askSecret(
  { stdin, stderr, signal: interruption }: Streams,
  message: string,
  signal = interruption,
): Promise<string> {
  const { default: password } = await import("@inquirer/password");
  const theme = {
    // No check mark, because the caller may reject the secret.
    prefix: styleText("blue", "?"),
    style: { message: (text: string) => styleText("bold", wrapMessage(stderr, text)), maskedText: "" },
  };
  try {
    const streams = { input: stdin(), output: stderr.stream, signal };
    return await password({ message, toggleMask: false, theme }, streams);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === "ExitPromptError")
      throw new ComandaError("interrupted", t`Interrupted.`);
    throw error;
  }
}

export async function askText({ stdin, stderr, signal }: Streams, message: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: stdin(), output: stderr.stream, terminal: true });
  const ended = new AbortController();
  // The end of the input isn't an answer.
  for (const event of ["SIGINT", "close", "error"]) lines.on(event, () => ended.abort());
  try {
    const question = `${wrapMessage(stderr, message)} `;
    return (await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) })).trim();
  } catch (error) {
    signal.throwIfAborted();
    throw ended.signal.aborted ? new ComandaError("interrupted", t`Interrupted.`) : error;
  } finally {
    lines.close();
  }
}

/** Waits for answers that are needed before anything is sent. If the user interrupts them, the error says that nothing was sent. */
export async function beforeSending<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((error: unknown) => {
    if (!isComandaError(error, "interrupted") && !isComandaError(error, "terminated")) throw error;
    throw error.reworded(`${error.message} ${t`Nothing was sent.`}`);
  });
}

/** Wraps a message, with room for the mark before it and the answer after it. */
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
