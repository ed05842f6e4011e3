/** The disk and chance. */
import { randomBytes } from "node:crypto";

import { systemDisk, type Disk } from "./disk.js";

export interface Random {
  /** Gives bytes that are fit for secrets. */
  bytes(count: number): Uint8Array;
  /**
   * Gives bytes for names that nothing else has, and for no secret: `node:crypto` takes longer to load than a row to
   * be written.
   */
  marks(count: number): Uint8Array;
  /** Gives a random number, at least 0 and below 1. It spreads pauses. */
  readonly fraction: () => number;
}

export interface System {
  readonly disk: Disk;
  readonly random: Random;
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  marks: (count) => Uint8Array.from({ length: count }, () => 256 * Math.random()),
  fraction: Math.random,
};

export const realSystem: System = { disk: systemDisk, random: systemRandom };

/** Makes 16 hexadecimal digits that nothing else has. */
export function randomNonce({ random }: Pick<System, "random">): string {
  return Buffer.from(random.marks(8)).toString("hex");
}
