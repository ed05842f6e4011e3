/** The tree of commands. Building it is cheap: what a command works with is loaded when it runs. */
import { Command } from "commander";

import {
  addGlobalOptions,
  cacheCommand,
  demoCommand,
  driverCommand,
  emulatorCommand,
  environmentCommand,
  groupedCommand,
  helpCommand,
  loginCommand,
  logoutCommand,
  ordersCommand,
  prefillCommand,
  statusCommand,
  storesCommand,
  summaryCommand,
  type Context,
} from "../commands/index.js";

const examples = `
Examples:
  $ comanda demo                                      a guided tour, nothing to set up
  $ comanda login --store centro --env production     sign in at a store
  $ comanda orders dispatch 4711                      send an order on its way
  $ comanda driver assign 4711 12 --fee 7.50          give it a driver
  $ comanda summary --period last-week                how was last week?

More help:
  $ comanda <command> --help      $ comanda help exit-codes      $ comanda help environment`;

export function createProgram(context: Context): Command {
  const program = new Command("comanda")
    .description("Change orders, assign drivers and read sales figures from the terminal, a script or cron.")
    .version(context.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureHelp({ helpWidth: 100 })
    .addHelpText("after", examples);
  addGlobalOptions(program);
  program.addCommand(loginCommand(context));
  program.addCommand(logoutCommand(context));
  program.addCommand(statusCommand(context));
  program.addCommand(ordersCommand(context));
  program.addCommand(driverCommand(context));
  program.addCommand(prefillCommand(context));
  program.addCommand(summaryCommand(context));
  program.addCommand(groupedCommand(context));
  program.addCommand(cacheCommand(context));
  program.addCommand(storesCommand(context));
  program.addCommand(environmentCommand(context));
  program.addCommand(emulatorCommand(context));
  program.addCommand(demoCommand(context));
  program.addCommand(helpCommand(context));
  configure(program, context);
  return program;
}

/** `addCommand` hands none of this down, so every command is told. */
function configure(command: Command, context: Context): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
      // Errors are told by the one renderer, not by commander.
      outputError: () => undefined,
    });
  for (const member of command.commands) configure(member, context);
}
