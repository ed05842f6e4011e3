/** What a lock file says. */
import * as z from "zod/mini";

import { openFlags, type Disk } from "../../shared/disk.js";
import { parseJson } from "../../shared/json.js";
import { once } from "../../shared/once.js";
import { realAndUnwaiting } from "../files/private-access.js";
import { ifPresent } from "../files/file-errors.js";
import { processIdentitySchema, type ProcessIdentity } from "./process-identity.js";

export interface Holding {
  /** Different for each time that a lock is taken. It becomes part of file names. */
  readonly nonce: string;
  /** `undefined` where the file can't be read as one of ours. */
  readonly identity: ProcessIdentity | undefined;
  /** When the lock was taken, by the holder's clock (milliseconds since the epoch). */
  readonly since: number | undefined;
  /** When the holder last touched it, by the file system's clock (milliseconds since the epoch). */
  readonly leftAt: number;
  /** Another one each time that the holder touches it. */
  readonly beat: string;
}

const holdingSchema = once(() =>
  z.extend(processIdentitySchema(), {
    version: z.literal(1),
    nonce: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
    since: z.optional(z.number()),
  }),
);

/** A text that {@link readHolding} reads back. */
export function holdingText(nonce: string, since: number, identity: ProcessIdentity): string {
  return `${JSON.stringify({ version: 1, nonce, since, ...identity })}\n`;
}

/** `undefined` where there is no file. Fails for what isn't a file: a link, for example. */
export function readHolding(disk: Disk, file: string): Holding | undefined {
  const descriptor = ifPresent(() => disk.open(file, openFlags.read | realAndUnwaiting));
  if (descriptor === undefined) return undefined;
  try {
    const { ino, mtimeNs } = disk.stamp(descriptor);
    const seen = { leftAt: Number(mtimeNs / 1_000_000n), beat: String(mtimeNs) };
    const said = parse(disk.readText(descriptor));
    if (!said) return { nonce: `torn-${ino}-${mtimeNs}`, identity: undefined, since: undefined, ...seen };
    return { nonce: said.nonce, identity: said, since: said.since, ...seen };
  } finally {
    disk.close(descriptor);
  }
}

function parse(text: string): z.infer<ReturnType<typeof holdingSchema>> | undefined {
  const result = z.safeParse(holdingSchema(), parseJson(text));
  return result.success ? result.data : undefined;
}
