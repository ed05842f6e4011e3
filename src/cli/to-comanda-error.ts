import { CommanderError } from "commander";

import { suggestion } from "../api/nearest.js";
import { capitalized, plural, t } from "../languages/language.js";
import { ComandaError } from "../client/errors.js";

/**
 * Maps every thrown value to an error with an exit code.
 *
 * @param interruption the signal's reason, if there was a signal
 * @returns `undefined` where nothing is wrong: commander throws after a help text, too
 */
export function toComandaError(thrown: unknown, interruption?: unknown): ComandaError | undefined {
  if (thrown instanceof ComandaError) return thrown;
  if (interruption instanceof ComandaError) return interruption;
  if (thrown instanceof CommanderError) return fromCommander(thrown);
  return new ComandaError("internal", t`comanda has a fault: ${describe(thrown)}.`, {
    hint: t`Run the same command with --debug to see where, and report it.`,
    cause: thrown,
  });
}

function fromCommander({ code, exitCode, message }: CommanderError): ComandaError | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help") {
    return new ComandaError("usage", t`A subcommand is missing.`, { hint: t`The help above lists them.` });
  }
  const { sentence, hint = t`Add --help to see what the command takes.` } = wordingOf(message);
  return new ComandaError("usage", sentence, { hint });
}

/** commander suggests one option, `Did you mean --period?`, or one of several. */
function translatedSuggestion(hint: string | undefined): string | undefined {
  const nearest = /^Did you mean (\S+)\?$/.exec(hint ?? "")?.[1];
  const several = /^Did you mean one of (.+)\?$/.exec(hint ?? "")?.[1];
  if (nearest !== undefined) return t`Did you mean ${nearest}?`;
  return several === undefined ? hint : t`Did you mean one of ${several}?`;
}

interface Wording {
  readonly sentence: string;
  readonly hint?: string | undefined;
}

/** Replaces commander's sentences by comanda's own. */
const wordings: readonly (readonly [RegExp, (...words: readonly string[]) => Wording])[] = [
  [
    /^unknown option '(.*?)(=.*)?'(?:\n\((.*)\))?$/s,
    (flag = "", value = "", hint) => ({
      sentence: t`There is no option ${flag}${value === "" ? "" : t` that takes a value`}.`,
      hint: translatedSuggestion(hint),
    }),
  ],
  [
    /^missing required argument '(.*)'$/s,
    (name = "") => ({ sentence: t`The argument <${name}> is missing.` }),
  ],
  [
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)\.$/s,
    (command = "", expected = "", got = "") => ({
      sentence:
        expected === "0"
          ? plural(Number(got), {
              one: t`"${command}" takes no arguments, and 1 was given.`,
              other: t`"${command}" takes no arguments, and ${got} were given.`,
            })
          : plural(Number(expected), {
              one: t`"${command}" takes 1 argument, and ${got} were given.`,
              other: t`"${command}" takes ${expected} arguments, and ${got} were given.`,
            }),
    }),
  ],
  [
    /^option '(?:-\w, )?(\S+) (\S+)' argument missing$/,
    (flag = "", value = "") => ({
      sentence: t`The value of ${flag} is missing.`,
      hint: t`Write ${flag} ${value}.`,
    }),
  ],
  [
    /^required option '(.*)' not specified$/,
    (flags = "") => ({ sentence: t`The option ${flags} is missing.` }),
  ],
  [
    /^option '(?:-\w, )?(\S+) \S+' argument '(.*)' is invalid\. (.*)$/s,
    (flag = "", value = "", rule = "") => {
      const choices = /^Allowed choices are (.*)\.$/.exec(rule)?.[1];
      const suggestedChoice = choices === undefined ? "" : suggestion(value, choices.split(", "));
      return {
        sentence: t`${flag} can't be "${value}".${suggestedChoice}`,
        hint: choices === undefined ? rule : t`It takes ${choices}.`,
      };
    },
  ],
];

function wordingOf(message: string): Wording {
  const text = message.replace(/^error: /, "");
  for (const [pattern, tell] of wordings) {
    const match = pattern.exec(text);
    if (match) return tell(...match.slice(1));
  }
  return { sentence: `${capitalized(text).replace(/\.$/, "")}.` };
}

function describe(thrown: unknown): string {
  return thrown instanceof Error
    ? thrown.message.replace(/\.$/, "")
    : t`something was thrown that is no error`;
}
