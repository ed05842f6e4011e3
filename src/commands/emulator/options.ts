/** The options that `start` and `exec` share. */
import { check, detailsOf } from "../../api/input.js";
import { readFault } from "../../emulator/http/faults.js";
import type { EmulatorOptions, Fault, Scene } from "../../emulator/index.js";
import type { StoreInput } from "../../emulator/inputs.js";
import { parseReading, type ReadingValue } from "../../emulator/readings.js";
import { ownStoresSchema } from "../../emulator/seed/cast.js";
import { scenes } from "../../emulator/inputs.js";
import { ComandaError } from "../../client/errors.js";
import { parseJson } from "../../api/json.js";
import { t } from "../../languages/language.js";
import type { Output } from "../../cli/output.js";
import type { OptionDescription } from "../../toolkit/command.js";
import { wholeNumber, type CommandLine } from "../../toolkit/command-line.js";
import { decodeText, openFile, readBytes } from "../../toolkit/input-stream.js";
import type { Machine } from "../../toolkit/machine.js";

export interface SeedOptions {
  readonly scene: Scene;
  /** The number of orders of the scene `mixed`; `busy` has its own number. */
  readonly orders: number;
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** `random` draws the readings by the seed. */
  readonly readings: ReadingsChoice | "random";
  /** A file with the person's own stores. */
  readonly stores: string | undefined;
  /** Are the service's rate limits kept? */
  readonly limits: boolean;
}

export type ReadingsChoice = Readonly<Record<string, ReadingValue>>;

const defaultOrders = 2_000;

export const seedOptions: readonly OptionDescription[] = [
  {
    flags: "--scene <name>",
    description: "mixed has orders of every kind, busy those of a restaurant, 120 a day",
    choices: scenes,
    default: "mixed",
  },
  {
    flags: "--orders <number>",
    description: `how many orders mixed begins with, ${defaultOrders} without it`,
  },
  { flags: "--seed <number>", description: "the same seed makes the same orders", default: "1" },
  {
    flags: "--fault <description>",
    description: "let calls fail, for example status=503,path=/dispatch,times=2 (repeatable)",
    repeatable: true,
  },
  {
    flags: "--reading <name=value>",
    description: "what the specification leaves open, or random; see emulator readings (repeatable)",
    repeatable: true,
  },
  {
    flags: "--stores <file>",
    description: "stores of your own, as JSON: [{id, name, time_zone, drivers, catalog}]",
  },
  { flags: "--no-limits", description: "without the service's rate limits" },
];

/** The helps of both commands have it. */
export const faultHelp =
  "A fault is one of status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, " +
  "redirect=URL, oversize=BYTES and rate_limit=SECONDS. Behind a comma stand which calls have it (method=, path=, " +
  "operation=), how often (times=), after how many (after=), whether before or after the call is processed (when=), " +
  "and what the answer holds (body=, content_type=). A value in quotes may have commas.";

/** @throws {ComandaError} `usage`, and `invalid_input` for an impossible fault */
export function parseSeedOptions(line: CommandLine): SeedOptions {
  return {
    ...parseScene(line),
    seed: wholeNumber(line, "--seed", { least: 0, most: 4_294_967_295 }),
    faults: line.list("--fault").map(faultOf),
    readings: parseReadings(line.list("--reading")),
    stores: line.text("--stores"),
    limits: !line.flag("--no-limits"),
  };
}

function parseReadings(texts: readonly string[]): SeedOptions["readings"] {
  if (texts.length === 1 && texts[0] === "random") return "random";
  try {
    return Object.fromEntries(texts.map(parseReading).map(({ reading, value }) => [reading, value]));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ComandaError("invalid_input", `--reading: ${error.message}`, {
      hint: t`For example: --reading conflict_status=422\nSee: comanda emulator readings`,
    });
  }
}

function parseScene(line: CommandLine): Pick<SeedOptions, "scene" | "orders"> {
  const scene = scenes.find((name) => name === line.text("--scene")) ?? "mixed";
  if (line.text("--orders") === undefined) return { scene, orders: defaultOrders };
  if (scene === "busy") {
    throw new ComandaError("usage", t`The scene busy has its own number of orders.`, {
      hint: t`Leave out --orders, or --scene busy.`,
    });
  }
  return { scene, orders: wholeNumber(line, "--orders", { least: 0, most: 1_000_000 }) };
}

function faultOf(text: string): Fault {
  try {
    return readFault(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/\.$/, "") : "unreadable";
    throw new ComandaError("invalid_input", `--fault: ${problem}.`, {
      hint: t`For example: --fault status=503,path=/dispatch,times=2\nSee: comanda emulator start --help`,
    });
  }
}

/** The part of the emulator's options that both commands have. */
export async function emulatorOptions(
  machine: Machine,
  { scene, orders, seed, faults, readings, stores, limits }: SeedOptions,
): Promise<EmulatorOptions> {
  return {
    ...{ scene, orders, seed, faults, readings },
    ...(stores !== undefined && { stores: await readStores(machine, stores) }),
    rateLimits: limits,
    onDefect: tellDefects(machine.output),
  };
}

/** Warns of the cause of an answer 500 that is the emulator's own defect. */
export function tellDefects(output: Pick<Output, "warn">): NonNullable<EmulatorOptions["onDefect"]> {
  return ({ method, path, cause }) => {
    output.warn(t`the emulator answered ${method} ${path} with 500: ${cause ?? ""}`);
  };
}

const largestStoresFile = 16 * 1024 * 1024;

/** @throws {ComandaError} `invalid_input` where the file can't be read or has no list of stores */
async function readStores(machine: Machine, file: string): Promise<readonly StoreInput[]> {
  const hint = t`For example: [{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]`;
  const source = await openFile(machine, file, machine.context.signal);
  const text = decodeText(await readBytes(source, largestStoresFile, hint));
  const stores = check(ownStoresSchema, parseJson(text), { owner: "The list", kind: "field" });
  if (stores.ok) return stores.value;
  throw new ComandaError("invalid_input", `${file}: ${detailsOf(stores)}.`, { hint });
}
