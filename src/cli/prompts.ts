/** Asks a person at a terminal. Callers make sure that there is a terminal. */
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";

import { ComandaError } from "../client/errors.js";
import { currentLanguage, t } from "../languages/language.js";

import { wrapWords } from "./text.js";

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  /** Questions go to stderr, since stdout carries data alone. */
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** The secret is never shown, and the message has to say so. */
export async function askSecret(message: string, streams: PromptStreams): Promise<string> {
  const { default: password } = await import("@inquirer/password");
  const theme = {
    style: { message: (text: string) => styleText("bold", wrapMessage(streams, text)), maskedText: "" },
  };
  try {
    return await password({ message, toggleMask: false, theme }, streams);
  } catch (error) {
    streams.signal.throwIfAborted();
    throw error instanceof Error && error.name === "ExitPromptError" ? interrupted() : error;
  }
}

export async function askText(message: string, streams: PromptStreams): Promise<string> {
  const { input, output, signal } = streams;
  const lines = createInterface({ input, output, terminal: true });
  const ended = new AbortController();
  // The end of the input is no answer.
  for (const event of ["SIGINT", "close"]) lines.on(event, () => ended.abort());
  try {
    const question = `${wrapMessage(streams, message)} `;
    return (await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) })).trim();
  } catch (error) {
    signal.throwIfAborted();
    throw ended.signal.aborted ? interrupted() : error;
  } finally {
    lines.close();
  }
}

/** Wraps between words, with room for the mark before the message and the answer behind it. */
function wrapMessage({ output }: PromptStreams, message: string): string {
  // A terminal that says 0 doesn't know how wide it is.
  const width = "columns" in output ? Number(output.columns) || 80 : 80;
  return message
    .split("\n")
    .map((line) => wrapWords(line, width - 3))
    .join("\n");
}

/** Ctrl-C at a prompt ends the program the way a signal does. */
function interrupted(): ComandaError {
  return new ComandaError("interrupted", t`Interrupted.`);
}

/**
 * Asks a question until it is answered yes or no.
 *
 * @param ask asks for a line of text
 * @param assumed is what just Enter means
 */
export async function askYesNo(
  message: string,
  ask: (question: string) => Promise<string>,
  assumed = false,
): Promise<boolean> {
  const question = `${message} ${assumed ? t`(Y/n)` : t`(y/N)`}`;
  const [yes, no] =
    currentLanguage() === "pt-BR" ? [/^(s|sim|y|yes)$/i, /^(n|não|nao|no)$/i] : [/^y(es)?$/i, /^no?$/i];
  for (;;) {
    const answer = await ask(question);
    if (answer === "") return assumed;
    if (yes.test(answer)) return true;
    if (no.test(answer)) return false;
  }
}
