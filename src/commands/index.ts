/** Exports what the command tree needs; the commands themselves are loaded one by one. */
export {
  execute,
  Exit,
  parseLine,
  type Command,
  type CommandDescription,
  type CommandGroup,
  type OptionDescription,
} from "../toolkit/command.js";
export {
  createCommandLine,
  workbookAtTerminal,
  restrictedOptions,
  type CommandLine,
  type Globals,
  type RestrictedOption,
} from "../toolkit/command-line.js";
export { parseDuration, parseLimit } from "../toolkit/durations.js";
export type { HelpPages } from "./help/index.js";
export { createMachine, type Machine } from "../toolkit/machine.js";
export type { TypedLine } from "./schedule/index.js";
export {
  hasPerson,
  variable,
  type Context,
  type EndingSignal,
  type StandardStream,
} from "../toolkit/context.js";
