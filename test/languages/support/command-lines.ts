/** Compares the options that a text names with the commands. */
import type { Command } from "commander";

/** Returns the options that a text names but no command has. */
export function lacking(text: string, program: Command): readonly string[] {
  const known = new Set(allBelow(program).flatMap(({ options }) => options.map(({ long }) => long ?? "")));
  const named = text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
  // --global is an option of npm.
  return named.filter((flag) => !known.has(flag) && flag !== "--help" && flag !== "--global");
}

export function allBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}
