/** commander's command, with what all of comanda's have: texts in the reader's language, examples, a context to work with. */
import { Command as CommanderCommand, Option } from "commander";

import { ComandaError } from "../client/errors.js";
import { capitalized, t, translated } from "../languages/language.js";

import { openContext, type Context, type ProcessContext } from "./context.js";
import { ComandaHelp } from "./help.js";
import { readGlobalOptions, type RestrictedOption } from "./global-options.js";

/**
 * @param words the arguments
 * @param program the tree of commands, as far as the line needs it
 */
type Work<Options> = (
  context: Context,
  options: Options,
  words: readonly string[],
  program: Command,
) => Promise<void>;

export class Command extends CommanderCommand {
  readonly #process: ProcessContext;
  /** Of the options that only some commands take. */
  taken: readonly RestrictedOption[] = [];
  /** Command lines without the leading `comanda`, each of which works as printed. */
  exampleLines: readonly string[] = [];

  constructor(name: string | undefined, process: ProcessContext) {
    super(name);
    this.#process = process;
  }

  override createCommand(name?: string): Command {
    return new Command(name, this.#process).helpCommand(false);
  }

  override createOption(flags: string, description = ""): Option {
    return new Option(flags, translated(description));
  }

  override createHelp(): ComandaHelp {
    return new ComandaHelp(this);
  }

  get root(): Command {
    return this.parent instanceof Command ? this.parent.root : this;
  }

  /** The commands of a group. */
  get members(): readonly Command[] {
    return this.commands.filter((member) => member instanceof Command);
  }

  /** @param paragraphs follow the summary in the help */
  about(summary: string, ...paragraphs: readonly string[]): this {
    const sentence = `${capitalized(translated(summary))}.`;
    return this.summary(translated(summary)).description(
      [sentence, ...paragraphs.map(translated)].join("\n\n"),
    );
  }

  /** Any other of the options that only some commands take is refused. */
  takes(...options: readonly RestrictedOption[]): this {
    this.taken = options;
    return this;
  }

  examples(...lines: readonly string[]): this {
    this.exampleLines = lines;
    return this;
  }

  /** Sets what the command does. A signal that came meanwhile ends it even where all of its work is done. */
  does<Options>(work: Work<Options>): this {
    return this.action(async () => {
      const context = await openContext(this.#process, readGlobalOptions(this, this.taken));
      await work(context, this.opts<Options & Record<string, unknown>>(), this.args, this.root);
      endWith(context, undefined);
    });
  }
}

/**
 * Ends a command that has told its result with the error of what went wrong, if anything did. A signal explains a failure
 * that it may have caused, but it must not hide an unknown outcome.
 */
export function endWith({ signal, output }: Context, failure: ComandaError | undefined): void {
  const stop = signal.aborted && isStop(signal.reason) ? signal.reason : undefined;
  if (stop && failure?.code !== "outcome_unknown") {
    // JSON has the failure in its result.
    if (failure && failure.code !== stop.code && !output.json) output.warn(failure.message);
    throw stop;
  }
  if (failure) throw failure;
}

/** A reader who has gone or a full disk behind stdout stops no command whose work is done. */
function isStop(reason: unknown): reason is ComandaError {
  return reason instanceof ComandaError && reason.code !== "output_closed" && reason.code !== "output_failed";
}

/** An argument that is missing where nobody can be asked for it. */
export function missingArgument(name: string): ComandaError {
  return new ComandaError("usage", t`The argument <${name}> is missing.`, {
    hint: t`Add --help to see what the command takes.`,
  });
}

/** Ends a command as another program ended: it prints nothing, and the exit code is that program's. */
export class Exit extends Error {
  override readonly name = "Exit";

  /** @param exitCode from 0 to 255 */
  constructor(readonly exitCode: number) {
    super(t`exit code ${exitCode}`);
  }
}
