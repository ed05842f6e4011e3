/** What the command tree is made with; the commands themselves are loaded one by one. */
export { Exit } from "./exit.js";
export { execute, type Command, type CommandGroup, type OptionDescription } from "./command.js";
export { createCommandLine, type CommandLine } from "./command-line.js";
export type { HelpPages } from "./help.js";
export { createMachine, type Machine } from "./machine.js";
export { addGlobalOptions, readGlobals, refuseUntaken, type Globals } from "./globals.js";
export { createOutput, group, leaf, noSuchCommand, runsAnother } from "./leaf.js";
export type { Context, EndingSignal, StandardStream } from "./context.js";
