/** Questions to a person at a terminal. Callers make sure that there is one. */
import { styleText } from "node:util";

import { currentLanguage, t } from "../shared/language.js";

import type { Choice } from "./choices.js";
import { printable } from "./escape.js";
import { wrapWords } from "./wrap.js";

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream;
  /** stderr: stdout carries data alone. */
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** Asks for a secret. What is typed is never shown, and the message has to say so. */
export async function askSecret(message: string, streams: PromptStreams): Promise<string> {
  const { default: password } = await import("@inquirer/password");
  const theme = {
    style: { message: (text: string) => styleText("bold", inWidthOf(streams, text)), maskedText: "" },
  };
  return ask(streams, (context) => password({ message, toggleMask: false, theme }, context));
}

/** The message without words that are cut, where a mark stands before it and the answer behind it. */
function inWidthOf({ output }: PromptStreams, message: string): string {
  const columns = "columns" in output && typeof output.columns === "number" ? output.columns : undefined;
  return wrapWords(message, columns && columns - 3);
}

/** Asks for a line of text, which is shown as it is typed. */
export async function askText(message: string, streams: PromptStreams): Promise<string> {
  const { input, output, signal } = streams;
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input, output, terminal: true });
  const interruption = new AbortController();
  lines.on("SIGINT", () => interruption.abort());
  // The end of the input is no answer.
  lines.on("close", () => interruption.abort());
  try {
    return (
      await lines.question(`${inWidthOf(streams, message)} `, {
        signal: AbortSignal.any([signal, interruption.signal]),
      })
    ).trim();
  } catch (error) {
    signal.throwIfAborted();
    if (!interruption.signal.aborted) throw error;
    const { ComandaError } = await import("../shared/errors.js");
    throw new ComandaError("interrupted", t`Interrupted.`);
  } finally {
    lines.close();
  }
}

/** Asks a question that is answered yes or no; just Enter means no. */
export async function askYesNo(message: string, streams: PromptStreams): Promise<boolean> {
  return isYes(await askText(`${message} ${t`(y/N)`}`, streams));
}

/**
 * Asks for one of several, until one is named.
 *
 * @param plain by a line of text, which names them: nothing moves the cursor
 * @returns its value
 */
export async function choose(
  message: string,
  choices: readonly Choice[],
  streams: PromptStreams,
  plain: boolean,
): Promise<string> {
  const shown = choices.map(({ value, name }) => ({ value, name: printable(name) }));
  if (!plain) {
    const { pick } = await import("./pick.js");
    return ask(streams, (context) => pick({ message: inWidthOf(streams, message), choices: shown }, context));
  }
  const { onesNamed } = await import("./choices.js");
  let [question, left]: [string, readonly Choice[]] = [message, shown];
  for (;;) {
    const typed = await askText(`${question} ${left.map(({ name }) => name).join("; ")}:`, streams);
    const named = typed === "" ? [] : onesNamed(typed, shown);
    if (named.length === 1 && named[0]) return named[0].value;
    [question, left] =
      named.length > 1 ? [message, named] : [typed === "" ? message : t`"${typed}" is none of them.`, shown];
  }
}

/** Any other answer is a no. */
export function isYes(answer: string): boolean {
  return (currentLanguage() === "pt-BR" ? /^(s|sim|y|yes)$/i : /^y(es)?$/i).test(answer);
}

/** Ctrl-C at a prompt ends the program the way a signal does. */
async function ask<Answer>(
  { input, output, signal }: PromptStreams,
  question: (context: {
    input: NodeJS.ReadableStream;
    output: NodeJS.WritableStream;
    signal: AbortSignal;
  }) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await question({ input, output, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === "ExitPromptError") {
      const { ComandaError } = await import("../shared/errors.js");
      throw new ComandaError("interrupted", t`Interrupted.`);
    }
    throw error;
  }
}
