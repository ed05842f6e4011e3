/** Maps every thrown value to an error with an exit code. */
import { CommanderError } from "commander";

import { suggestion } from "../api/nearest.js";
import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";

/**
 * @param interruption the signal's reason, if there was a signal
 * @returns `undefined` where nothing is wrong: commander throws after a help text, too
 */
export function toComandaError(thrown: unknown, interruption?: unknown): ComandaError | undefined {
  if (thrown instanceof ComandaError) return thrown;
  if (interruption instanceof ComandaError) return interruption;
  if (thrown instanceof CommanderError) return fromCommander(thrown);
  const words = thrown instanceof Error ? thrown.message.replace(/\.$/, "") : String(thrown);
  return new ComandaError("internal", t`comanda has a fault: ${words}.`, {
    hint: t`Run the same command with --debug to see where, and report it.`,
    cause: thrown,
  });
}

function fromCommander({ code, exitCode, message }: CommanderError): ComandaError | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help")
    return new ComandaError("usage", t`A subcommand is missing.`, { hint: t`The help above lists them.` });
  const [text = "", near] = message.replace(/^error: /, "").split(/\n\(Did you mean (?:one of )?(.*)\?\)$/s);
  const [sentence, hint = t`Add --help to see what the command takes.`] = wordsFor(text);
  return new ComandaError("usage", sentence, { hint: near === undefined ? hint : t`Did you mean ${near}?` });
}

/** commander's sentences in the reader's language. */
const sentences: readonly (readonly [
  RegExp,
  (...words: string[]) => readonly [sentence: string, hint?: string],
])[] = [
  [
    /^unknown command '(.*)'$/s,
    (word) => [t`There is no command "${word}".`, t`comanda --help lists the commands.`],
  ],
  [/^unknown option '([^=]*)(?:=.*)?'$/s, (flag) => [t`There is no option ${flag}.`]],
  [/^missing required argument '(.*)'$/s, (name) => [t`The argument <${name}> is missing.`]],
  [/^required option '(.*)' not specified$/, (flags) => [t`The option ${flags} is missing.`]],
  [
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/s,
    (command, most, given) => [t`Too many arguments for "${command}": ${given} in place of ${most}.`],
  ],
  [
    /^option '(?:-\w, )?(\S+) (\S+)' argument missing$/,
    (flag, value) => [t`The value of ${flag} is missing.`, t`Write ${flag} ${value}.`],
  ],
  [
    /^option '(?:-\w, )?(\S+) \S+' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s,
    (flag, value, choices) => [
      t`${flag} can't be "${value}".${suggestion(value, choices.split(", "))}`,
      t`It takes ${choices}.`,
    ],
  ],
];

function wordsFor(text: string): readonly [sentence: string, hint?: string] {
  for (const [pattern, tell] of sentences) {
    const match = pattern.exec(text);
    if (match) return tell(...match.slice(1));
  }
  return [text];
}
