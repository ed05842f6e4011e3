/** What the command tree is made with; the commands themselves are loaded one by one. */
export { Exit } from "./exit.js";
export { addGlobalOptions } from "./globals.js";
export { createOutput, runsAnother } from "./leaf.js";
export type { Context, EndingSignal, StandardStream } from "./context.js";
