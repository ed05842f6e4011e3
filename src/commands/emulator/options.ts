/** What `start` and `exec` have in common. */
import { InvalidArgumentError, type Command } from "commander";

import type { Fault, LogEntry } from "../../emulator/index.js";
import { ComandaError } from "../../shared/errors.js";
import type { Output } from "../../terminal/index.js";
import { collect } from "../globals.js";

export interface SeedOptions {
  readonly orders: number;
  readonly seed: number;
  readonly fault?: readonly string[];
  readonly limits: boolean;
}

const defaultOrders = 2000;

export function addSeedOptions(command: Command): Command {
  return command
    .option("--orders <number>", "how many orders it begins with", whole(0, 1_000_000), defaultOrders)
    .option("--seed <number>", "the same seed makes the same orders", whole(0, 4_294_967_295), 1)
    .option("--fault <description>", "let calls fail, for example status=503,path=/dispatch,times=2", collect)
    .option("--no-limits", "without the service's rate limits");
}

export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}

/** @throws {ComandaError} `invalid_input` */
export function readFaults(texts: readonly string[], parseFault: (text: string) => Fault): Fault[] {
  return texts.map((text) => {
    try {
      return parseFault(text);
    } catch (error) {
      const problem = error instanceof Error ? error.message.replace(/\.$/, "") : "unreadable";
      throw new ComandaError("invalid_input", `--fault: ${problem}.`, {
        hint: "For example: --fault status=503,path=/dispatch,times=2",
      });
    }
  });
}

/** Says what an answer 500 of the emulator's own came from. */
export function tellDefects(output: Pick<Output, "warn">): (entry: LogEntry) => void {
  return ({ method, path, cause }) => {
    output.warn(`the emulator answered ${method} ${path} with 500: ${cause ?? ""}`);
  };
}
