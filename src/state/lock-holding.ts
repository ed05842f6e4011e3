/** What a lock file says. */
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

import * as z from "zod/mini";

import { ifPresent } from "./file-errors.js";
import { processIdentitySchema, type ProcessIdentity } from "./process-identity.js";

export interface Holding {
  /** Different for each time that a lock is taken. It becomes part of file names. */
  readonly nonce: string;
  /** `undefined` where the file can't be read as one of ours. */
  readonly identity: ProcessIdentity | undefined;
  /** By the file system's clock, milliseconds since the epoch. */
  readonly leftAt: number;
}

const holdingSchema = z.extend(processIdentitySchema, {
  version: z.literal(1),
  nonce: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
});

/** `undefined` where there is no file. */
export function readHolding(file: string): Holding | undefined {
  const descriptor = ifPresent(() => openSync(file, "r"));
  if (descriptor === undefined) return undefined;
  try {
    const { mtimeMs, ino, mtimeNs } = fstatSync(descriptor, { bigint: true });
    const leftAt = Number(mtimeMs);
    const said = parse(readFileSync(descriptor, "utf8"));
    if (!said) return { nonce: `torn-${ino}-${mtimeNs}`, identity: undefined, leftAt };
    return { nonce: said.nonce, identity: said, leftAt };
  } finally {
    closeSync(descriptor);
  }
}

function parse(text: string): z.infer<typeof holdingSchema> | undefined {
  try {
    const result = z.safeParse(holdingSchema, JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}
