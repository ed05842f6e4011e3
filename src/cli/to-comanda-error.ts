import { CommanderError } from "commander";

import { ComandaError } from "../errors/index.js";

/**
 * The one mapping from whatever was thrown to an error with an exit code.
 *
 * @param interruption why the program was told to stop, if it was
 * @returns `undefined` where nothing is wrong: commander throws after it has printed a help text too
 */
export function toComandaError(thrown: unknown, interruption?: unknown): ComandaError | undefined {
  if (thrown instanceof ComandaError) return thrown;
  if (interruption instanceof ComandaError) return interruption;
  if (thrown instanceof CommanderError) return fromCommander(thrown);
  return new ComandaError("internal", `comanda has a fault: ${describe(thrown)}.`, {
    hint: "Run the same command with --debug to see where, and report it.",
    cause: thrown,
  });
}

function fromCommander({ code, exitCode, message }: CommanderError): ComandaError | undefined {
  if (exitCode === 0) return undefined;
  if (code === "commander.help") {
    return new ComandaError("usage", "A subcommand is missing.", { hint: "The help above lists them." });
  }
  const [first = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const sentence = `${first[0]?.toUpperCase() ?? ""}${first.slice(1)}`;
  return new ComandaError("usage", sentence.endsWith(".") ? sentence : `${sentence}.`, {
    hint: suggestion?.replaceAll(/^\(|\)$/g, "") ?? "Add --help to see what the command takes.",
  });
}

function describe(thrown: unknown): string {
  return thrown instanceof Error
    ? thrown.message.replace(/\.$/, "")
    : "something was thrown that is no error";
}
