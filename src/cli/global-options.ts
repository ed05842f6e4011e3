/** The options of every command, which are read from flags and defaults into a typed object. */
import type { Command, Option } from "commander";
import ms from "ms";

import { ComandaError } from "../client/errors.js";
import { t } from "../languages/language.js";
import { formats, type Format } from "./records.js";
import type { ColorChoice } from "./style.js";

/** Options that only some commands take, with their flags; the others refuse them rather than ignore them. */
const restrictedFlags = {
  store: "--store",
  allStores: "--all-stores",
  format: "--format",
  dryRun: "--dry-run",
} as const;

export type RestrictedOption = keyof typeof restrictedFlags;

export interface GlobalOptions {
  /** The stores that `--store` names, in order. */
  readonly stores: readonly string[];
  /** Every store that this machine knows. */
  readonly allStores: boolean;
  readonly format: Format;
  readonly dryRun: boolean;
  /** Milliseconds for one request; the default is the client's. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds that a call may wait for a place within the rate limit. */
  readonly maxWaitMs: number;
  readonly debug: boolean;
  readonly color: ColorChoice;
  /** May anything be asked? */
  readonly input: boolean;
  /** Results and errors are shown, notices and progress are not. */
  readonly quiet: boolean;
}

export function addGlobalOptions(program: Command): void {
  program
    .option("-s, --store <alias>", "the store to work at", collect)
    .option("--all-stores", "every store that this machine knows; reports take --store several times too")
    .option("--json", "JSON on stdout, errors as JSON on stderr")
    .addOption(program.createOption("--format <format>", "how results are printed").choices(formats))
    .option("-q, --quiet", "data and errors alone: no sentences, notices or progress")
    .option("--debug", "show each request, and where a fault arose")
    .option("--no-color", "no colours; FORCE_COLOR=1 has them without a terminal too")
    .option("--no-input", "never ask anything")
    .option("--timeout <duration>", "longest time for one request (default: 30s)")
    .option("--max-wait <duration>", "longest wait for a place within the rate limit (default: 5m)")
    .option("--dry-run", "show what would be sent, send nothing");
}

/** Collects the values of an option that may be given more than once. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

interface RawOptions {
  store?: readonly string[];
  allStores?: boolean;
  json?: boolean;
  format?: Format;
  quiet?: boolean;
  debug?: boolean;
  color: boolean;
  input: boolean;
  timeout?: string;
  maxWait?: string;
  dryRun?: boolean;
}

/**
 * @param takes of the restricted options
 * @throws {ComandaError} `usage` for an option that the command would have to ignore, a duration that isn't one, and two
 *   that contradict each other
 */
export function readGlobalOptions(command: Command, takes: readonly RestrictedOption[]): GlobalOptions {
  const raw = command.optsWithGlobals<RawOptions>();
  for (const [name, flag] of Object.entries(restrictedFlags)) {
    if (command.getOptionValueSourceWithGlobals(name) === undefined || takes.some((each) => each === name))
      continue;
    throw new ComandaError("usage", t`"${commandPath(command)}" doesn't take ${flag}.`, {
      hint: t`See: ${commandPath(command)} --help`,
    });
  }
  if (raw.allStores && raw.store !== undefined) throw contradiction("--all-stores", "--store");
  if (raw.json && raw.format !== undefined && raw.format !== "json")
    throw contradiction("--json", `--format ${raw.format}`);
  return {
    stores: raw.store ?? [],
    allStores: raw.allStores ?? false,
    format: raw.json ? "json" : (raw.format ?? "table"),
    quiet: raw.quiet ?? false,
    debug: raw.debug ?? false,
    color: raw.color ? "auto" : "never",
    input: raw.input,
    timeoutMs: raw.timeout === undefined ? undefined : parseDuration("--timeout", raw.timeout, 1),
    maxWaitMs: parseDuration("--max-wait", raw.maxWait ?? "5m"),
    dryRun: raw.dryRun ?? false,
  };
}

/** What both say can't be done. */
export function contradiction(one: string, other: string): ComandaError {
  return new ComandaError("usage", t`${one} and ${other} contradict each other.`, {
    hint: t`Give one of the two.`,
  });
}

/**
 * @returns the alias that `--store` names
 * @throws {ComandaError} `usage` where it was given more than once
 */
export function oneStore({ stores }: Pick<GlobalOptions, "stores">): string | undefined {
  if (stores.length < 2) return stores[0];
  throw new ComandaError("usage", t`This command works at one store; --store was given more than once.`, {
    hint: t`Run the command once for each store.`,
  });
}

/** @throws {ComandaError} `usage` where the option's value isn't a number in this range */
export function wholeNumber(
  flag: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ComandaError("usage", t`${flag} can't be "${text}".`, {
    hint: t`It takes a whole number from ${least} to ${most}.`,
  });
}

const longestMs = 86_400_000;

/**
 * Reads a duration such as `500ms`, `30s`, `5m` or `2h`; `0` needs no unit.
 *
 * @param leastMs 1 where nothing can be done in no time
 * @returns milliseconds
 * @throws {ComandaError} `usage` where it is something else, negative, or longer than a day
 */
function parseDuration(flag: string, text: string, leastMs = 0): number {
  if (/^-\d/.test(text)) {
    throw new ComandaError("usage", t`${flag} can't be negative: "${text}".`, {
      hint: t`For example: ${flag} 30s, ${flag} 5m`,
    });
  }
  const form = /^(?:0|\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;
  const duration = form.test(text) ? ms(text as ms.StringValue) : undefined;
  if (duration === undefined || !Number.isFinite(duration) || duration > longestMs) {
    throw new ComandaError("usage", t`${flag} takes a duration of at most ${t`a day`}, not "${text}".`, {
      hint: t`For example: ${flag} 30s, ${flag} 5m`,
    });
  }
  if (duration >= leastMs) return duration;
  throw new ComandaError("usage", t`${flag} can't be 0: nothing takes no time.`, {
    hint: t`For example: ${flag} 30s`,
  });
}

/** The options of all commands that a command takes, without those that its own options replace. */
export function globalOptionsOf(command: Command, takes: readonly RestrictedOption[]): readonly Option[] {
  const own = new Set(command.options.map((option) => option.attributeName()));
  const shown = new Set<string>([...takes, "json"]);
  return rootOf(command).options.filter(
    (option) => shown.has(option.attributeName()) && !own.has(option.attributeName()),
  );
}

export function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/** Gives the words of the command, for example `comanda orders dispatch`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}
