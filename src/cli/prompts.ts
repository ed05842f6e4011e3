/** Asks a person at a terminal. Callers make sure that there is a terminal. */
import { styleText } from "node:util";

import { currentLanguage, t } from "../languages/language.js";
import { namedChoices, type Choice } from "./choices.js";

import { printable } from "./escape.js";
import { wrapWords } from "./wrap.js";

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
  return ask(streams, (context) => password({ message, toggleMask: false, theme }, context));
}

/** Wraps between words, with room for the mark before the message and the answer behind it. */
function wrapMessage({ output }: PromptStreams, message: string): string {
  const columns = "columns" in output && typeof output.columns === "number" ? output.columns : undefined;
  return wrapWords(message, columns && columns - 3);
}

export async function askText(message: string, streams: PromptStreams): Promise<string> {
  const { input, output, signal } = streams;
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input, output, terminal: true });
  const interruption = new AbortController();
  // The end of the input is no answer.
  for (const event of ["SIGINT", "close"]) lines.on(event, () => interruption.abort());
  try {
    const answer = await lines.question(`${wrapMessage(streams, message)} `, {
      signal: AbortSignal.any([signal, interruption.signal]),
    });
    return answer.trim();
  } catch (error) {
    signal.throwIfAborted();
    throw interruption.signal.aborted ? await interrupted() : error;
  } finally {
    lines.close();
  }
}

/** Ctrl-C at a prompt ends the program the way a signal does. */
async function interrupted(): Promise<Error> {
  const { ComandaError } = await import("../client/errors.js");
  return new ComandaError("interrupted", t`Interrupted.`);
}

/** Asks a question that is answered yes or no; just Enter means no. */
export async function askYesNo(message: string, streams: PromptStreams): Promise<boolean> {
  return isYes(await askText(`${message} ${t`(y/N)`}`, streams));
}

/**
 * Asks until the answer names one choice.
 *
 * @param plain asks for a line of text, so that nothing moves the cursor
 * @returns the value of the choice
 */
export async function choose(
  message: string,
  choices: readonly Choice[],
  streams: PromptStreams,
  plain: boolean,
): Promise<string> {
  const printableChoices = choices.map(({ value, name }) => ({ value, name: printable(name) }));
  if (!plain) {
    const { pick } = await import("./pick.js");
    return ask(streams, (context) =>
      pick({ message: wrapMessage(streams, message), choices: printableChoices }, context),
    );
  }
  let [question, candidates]: [string, readonly Choice[]] = [message, printableChoices];
  for (;;) {
    const answer = await askText(`${question} ${candidates.map(({ name }) => name).join("; ")}:`, streams);
    const matches = answer === "" ? [] : namedChoices(answer, printableChoices);
    if (matches.length === 1 && matches[0]) return matches[0].value;
    [question, candidates] =
      matches.length > 1
        ? [message, matches]
        : [answer === "" ? message : t`"${answer}" is none of them.`, printableChoices];
  }
}

/** Any other answer is a no. */
export function isYes(answer: string): boolean {
  return (currentLanguage() === "pt-BR" ? /^(s|sim|y|yes)$/i : /^y(es)?$/i).test(answer);
}

async function ask<Answer>(
  streams: PromptStreams,
  question: (context: PromptStreams) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await question(streams);
  } catch (error) {
    streams.signal.throwIfAborted();
    throw error instanceof Error && error.name === "ExitPromptError" ? await interrupted() : error;
  }
}
