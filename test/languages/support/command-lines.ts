/** What a text names, held against the tree of commands. */
import type { Command } from "commander";

/** The options that a text names and no command has. */
export function lacking(text: string, program: Command): readonly string[] {
  const known = new Set(allBelow(program).flatMap(({ options }) => options.map(({ long }) => long ?? "")));
  const named = text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [];
  // npm has a flag of its own.
  return named.filter((flag) => !known.has(flag) && flag !== "--help" && flag !== "--global");
}

export function allBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allBelow)];
}
