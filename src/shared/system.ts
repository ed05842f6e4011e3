/** What the code is given of the machine beside the clock and the network. `src/cli` hands out the real one. */
import { randomBytes } from "node:crypto";

import { systemDisk, type Disk } from "./disk.js";

export interface Random {
  /** Fit for secrets. */
  bytes(count: number): Uint8Array;
  /** A random number, at least 0 and below 1. It spreads pauses. */
  readonly fraction: () => number;
}

export interface System {
  readonly disk: Disk;
  readonly random: Random;
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count), fraction: Math.random };

export const realSystem: System = { disk: systemDisk, random: systemRandom };

/** 16 hexadecimal digits that nothing else has. */
export function randomNonce({ random }: Pick<System, "random">): string {
  return Buffer.from(random.bytes(8)).toString("hex");
}
