/** How a command reads what was typed after its name, without its work. */
import { Command as Program } from "../../src/cli/command.js";
import { addGlobalOptions } from "../../src/cli/global-options.js";
import { adopt, type Command } from "../../src/toolkit/command.js";

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
  const [name = ""] = command.description.usage.split(" ");
  const program = new Program("comanda", testContext())
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addGlobalOptions(program);
  adopt({
    description: command.description,
    parse: (line) => parsed.push(command.parse(line)),
    run: () => Promise.resolve(),
  })(program.command(name));
  await program.parseAsync([name, ...words], { from: "user" });
  const [options] = parsed;
  if (options === undefined) throw new Error(`${name} was not parsed`);
  return options;
}
