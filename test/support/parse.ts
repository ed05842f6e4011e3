/** How a command reads what was typed after its name, without its work. */
import { Command as Program } from "commander";

import { commanderCommand } from "../../src/cli/commander.js";
import { addGlobalOptions } from "../../src/cli/global-options.js";
import type { Command } from "../../src/toolkit/command.js";

import { testContext } from "./context.js";

/**
 * @param words what follows the command's name
 * @throws what `parse` throws
 */
export async function parse<Options, Result>(
  command: Command<Options, Result>,
  ...words: readonly string[]
): Promise<Options> {
  const parsed: Options[] = [];
  const made = commanderCommand(
    {
      description: command.description,
      parse: (line) => parsed.push(command.parse(line)),
      run: () => Promise.resolve(),
    },
    testContext(),
  );
  const program = new Program("comanda");
  addGlobalOptions(program);
  for (const each of [program, made]) each.exitOverride().configureOutput({ outputError: () => undefined });
  await program.addCommand(made).parseAsync([made.name(), ...words], { from: "user" });
  const [options] = parsed;
  if (options === undefined) throw new Error(`${made.name()} was not parsed`);
  return options;
}
