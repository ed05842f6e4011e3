/** The options of every command, which are read from flags and defaults into a typed object. */
import { Option, type Command } from "commander";

import { restrictedOptions, type Globals, type RestrictedOption } from "../toolkit/command-line.js";
import { parseDuration, parseLimit } from "../toolkit/durations.js";
import { ComandaError } from "../client/errors.js";
import { t, translated } from "../languages/language.js";
import { formats, type Format } from "./records.js";

const restrictedFlags: Readonly<Record<RestrictedOption, string>> = {
  store: "--store",
  allStores: "--all-stores",
  format: "--format",
  dryRun: "--dry-run",
};

const defaultMaxWaitMs = 5 * 60_000;

export function addGlobalOptions(program: Command): void {
  program
    .option("-s, --store <alias>", "the store to work at", collect)
    .option("--all-stores", "every store that this machine knows; reports take --store several times too")
    .option("--json", "JSON on stdout, errors as JSON on stderr")
    .addOption(new Option("--format <format>", "how results are printed").choices(formats))
    .option("-q, --quiet", "data and errors alone: no sentences, notices or progress")
    .option("--debug", "show each request, and where a fault arose")
    .option("--no-color", "no colours; FORCE_COLOR=1 has them without a terminal too")
    .option("--no-input", "never ask anything")
    .option("--timeout <duration>", "longest time for one request (default: 30s)")
    .option("--max-wait <duration>", "longest wait for a place within the rate limit (default: 5m)")
    .option("--dry-run", "show what would be sent, send nothing");
  for (const option of program.options) option.description = translated(option.description);
}

/** Collects the values of an option that may be given more than once. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

interface RawGlobals {
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

/** @throws {ComandaError} `usage` where two options contradict each other */
function readFormat({ json, format }: RawGlobals): Format {
  if (!json) return format ?? "table";
  if (format !== undefined && format !== "json") {
    throw new ComandaError("usage", t`--json and --format ${format} contradict each other.`, {
      hint: t`Give one of the two.`,
    });
  }
  return "json";
}

/** @throws {ComandaError} `usage` for a duration that isn't one, or a format that contradicts `--json` */
export function readGlobals(command: Command): Globals {
  const raw = command.optsWithGlobals<RawGlobals>();
  if (raw.allStores && raw.store !== undefined) {
    throw new ComandaError("usage", t`--all-stores and --store contradict each other.`, {
      hint: t`Give one of the two.`,
    });
  }
  return {
    stores: raw.store ?? [],
    allStores: raw.allStores ?? false,
    format: readFormat(raw),
    quiet: raw.quiet ?? false,
    debug: raw.debug ?? false,
    color: raw.color ? "auto" : "never",
    input: raw.input,
    timeoutMs: raw.timeout === undefined ? undefined : parseLimit("--timeout", raw.timeout),
    maxWaitMs: raw.maxWait === undefined ? defaultMaxWaitMs : parseDuration("--max-wait", raw.maxWait),
    dryRun: raw.dryRun ?? false,
  };
}

/** @throws {ComandaError} `usage` where an option was given that the command would have to ignore */
export function refuseIgnoredOptions(command: Command, takes: readonly RestrictedOption[]): void {
  const raw = command.optsWithGlobals<RawGlobals>();
  const flags = {
    store: raw.store !== undefined,
    allStores: raw.allStores,
    format: raw.format !== undefined,
    dryRun: raw.dryRun,
  };
  const ignored = restrictedOptions.find((name) => flags[name] && !takes.includes(name));
  if (ignored === undefined) return;
  throw new ComandaError("usage", t`"${commandPath(command)}" doesn't take ${restrictedFlags[ignored]}.`, {
    hint: t`See: ${commandPath(command)} --help`,
  });
}

/** Gives the words of the command without the program's own name, for example `orders dispatch`. */
export function commandWordsOf(command: Command): string {
  return commandPath(command).replace(/^comanda /, "");
}

/** Gives the words of the command, for example `comanda orders dispatch`. */
export function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}
