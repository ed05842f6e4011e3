import type { Command } from "commander";

import { runsAnother } from "../commands/index.js";

/**
 * For a command that runs another program, as `docker run` does: our own options end where the first word of that
 * program's command line stands, with `--` before it or without.
 *
 * @returns the same words, with the `--` that was left out
 */
export function endOwnOptions(program: Command, argv: readonly string[]): readonly string[] {
  let command = program;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") return argv;
    if (word.length > 1 && word.startsWith("-")) {
      if (takesNext(command, word)) index += 1;
      continue;
    }
    const member = command.commands.find((candidate) => candidate.name() === word);
    if (member) command = member;
    else return runsAnother(command) ? [...argv.slice(0, index), "--", ...argv.slice(index)] : argv;
  }
  return argv;
}

/** Is the word after this option its value? */
function takesNext(command: Command | null, word: string): boolean {
  if (!command) return false;
  const option = command.options.find(({ short, long }) => short === word || long === word);
  return option?.required ?? takesNext(command.parent, word);
}
