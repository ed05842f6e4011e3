/** Runs one command line from its arguments to its exit code. */
import { ComandaError, exitCodes } from "../shared/errors.js";
import { createOutput, Exit, type Context } from "../commands/index.js";

import { createProgram } from "./command-tree.js";
import { endOwnOptions, refuseUnknownCommand } from "./command-words.js";
import { createProcessContext } from "./process-context.js";
import { toComandaError } from "./to-comanda-error.js";

declare const __VERSION__: string;

/** Never rejects: every failure is told on stderr and ends in `process.exitCode`. */
export async function main(given: readonly string[]): Promise<void> {
  const world = createProcessContext(__VERSION__);
  let argv = given;
  world.onFault((fault) => {
    void fail(fault, argv, world.context).then(() => process.exit());
  });
  try {
    const program = await createProgram(world.context, argv);
    refuseUnknownCommand(program, argv);
    argv = endOwnOptions(program, argv);
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    await fail(error, argv, world.context);
  } finally {
    world.end();
  }
}

/** Whoever pressed Ctrl-C knows; a script that reads JSON is told, as of every error. */
function goesWithoutSaying({ exitCode }: ComandaError, json: boolean): boolean {
  if (exitCode === exitCodes.outputClosed) return true;
  return !json && (exitCode === exitCodes.interrupted || exitCode === exitCodes.terminated);
}

async function fail(thrown: unknown, argv: readonly string[], context: Context): Promise<void> {
  if (thrown instanceof Exit) {
    process.exitCode = thrown.exitCode;
    return;
  }
  const reason: unknown = context.signal.aborted ? context.signal.reason : undefined;
  const error = toComandaError(thrown, reason);
  if (error === undefined) return;
  process.exitCode = error.exitCode;
  const output = await createOutput(context, sniffOutputOptions(argv));
  if (goesWithoutSaying(error, output.json)) return;
  output.error(error);
  if (argv.includes("--debug")) context.stderr.write(`${trace(thrown)}\n`);
}

/** The command line may be what's wrong with it, so these are read without the parser. */
function sniffOutputOptions(argv: readonly string[]) {
  const own = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined);
  const json = own.some(
    (word, index) =>
      word === "--json" || word === "--format=json" || (word === "json" && own[index - 1] === "--format"),
  );
  return { format: json ? "json" : "table", quiet: false, color: !own.includes("--no-color") } as const;
}

/** The stack alone: an error's `cause` may carry a code or a token and is never shown. */
function trace(thrown: unknown): string {
  return thrown instanceof ComandaError || !(thrown instanceof Error) ? "" : (thrown.stack ?? "");
}
