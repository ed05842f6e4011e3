/** The options that `start` and `exec` share. */
import { readFile } from "node:fs/promises";

import { check, detailsOf } from "../../api/input.js";
import { parseJson } from "../../api/json.js";
import type { Command } from "../../cli/command.js";
import type { Context } from "../../cli/context.js";
import { collect, wholeNumber } from "../../cli/global-options.js";
import { ComandaError } from "../../client/errors.js";
import { readFault } from "../../emulator/http/faults.js";
import type { EmulatorOptions } from "../../emulator/index.js";
import { scenes, type Scene, type StoreInput } from "../../emulator/inputs.js";
import { parseReading, type ReadingValue } from "../../emulator/readings.js";
import { ownStoresSchema } from "../../emulator/seed/cast.js";
import { t } from "../../languages/language.js";
import { unreadable } from "../input.js";

/** Commander hands them over unread: `emulatorOptions` says what each means. */
export interface SeedOptions {
  readonly scene: Scene;
  readonly orders?: string;
  readonly seed: string;
  readonly fault?: readonly string[];
  readonly reading?: readonly string[];
  readonly stores?: string;
  readonly limits: boolean;
}

export function addSeedOptions(command: Command): Command {
  return command
    .addOption(
      command
        .createOption(
          "--scene <name>",
          "mixed has orders of every kind, busy those of a restaurant, 120 a day",
        )
        .choices(scenes)
        .default("mixed", "mixed"),
    )
    .option("--orders <number>", "how many orders mixed begins with, 2000 without it")
    .addOption(
      command.createOption("--seed <number>", "the same seed makes the same orders").default("1", "1"),
    )
    .option(
      "--fault <description>",
      "let calls fail, for example status=503,path=/dispatch,times=2 (repeatable)",
      collect,
    )
    .option(
      "--reading <name=value>",
      "what the specification leaves open, or random; see emulator readings (repeatable)",
      collect,
    )
    .option("--stores <file>", "stores of your own, as JSON: [{id, name, time_zone, drivers, catalog}]")
    .option("--no-limits", "without the service's rate limits");
}

/** The helps of both commands have it. */
export const faultHelp =
  "A fault is one of status=503, reset, hang, delay=MILLISECONDS, truncate, garbage, not_http, html, empty, " +
  "redirect=URL, oversize=BYTES and rate_limit=SECONDS. Behind a comma stand which calls have it (method=, path=, " +
  "operation=), how often (times=), after how many (after=), whether before or after the call is processed (when=), " +
  "and what the answer holds (body=, content_type=). A value in quotes may have commas.";

/** @throws {ComandaError} `usage`, and `invalid_input` for a fault, a reading or a file of stores that can't be */
export async function emulatorOptions(
  { output }: Pick<Context, "output">,
  { scene, orders, seed, fault = [], reading = [], stores, limits }: SeedOptions,
): Promise<EmulatorOptions> {
  if (scene === "busy" && orders !== undefined) {
    throw new ComandaError("usage", t`The scene busy has its own number of orders.`, {
      hint: t`Leave out --orders, or --scene busy.`,
    });
  }
  return {
    scene,
    seed: wholeNumber("--seed", seed, { least: 0, most: 4_294_967_295 }),
    ...(orders !== undefined && { orders: wholeNumber("--orders", orders, { least: 0, most: 1_000_000 }) }),
    faults: fault.map(faultOf),
    readings: readingsOf(reading),
    ...(stores !== undefined && { stores: await readStores(stores) }),
    rateLimits: limits,
    // A 500 of the emulator's own is a defect.
    onDefect: ({ method, path, cause }) => {
      output.warn(t`the emulator answered ${method} ${path} with 500: ${cause ?? ""}`);
    },
  };
}

/** `random` draws them by the seed. */
function readingsOf(texts: readonly string[]): Readonly<Record<string, ReadingValue>> | "random" {
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

function faultOf(text: string): ReturnType<typeof readFault> {
  try {
    return readFault(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/\.$/, "") : "unreadable";
    throw new ComandaError("invalid_input", `--fault: ${problem}.`, {
      hint: t`For example: --fault status=503,path=/dispatch,times=2\nSee: comanda emulator start --help`,
    });
  }
}

async function readStores(file: string): Promise<readonly StoreInput[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const json = parseJson(text.replace(/^\ufeff/, ""));
  const stores = check(ownStoresSchema, json, { owner: "The list", kind: "field" });
  if (stores.ok) return stores.value;
  throw new ComandaError("invalid_input", `${file}: ${detailsOf(stores)}.`, {
    hint: t`For example: [{"id": 1, "name": "Centro", "drivers": [{"id": 7, "name": "Bia"}]}]`,
  });
}
