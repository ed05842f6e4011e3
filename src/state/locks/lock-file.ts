/**
 * The lock on disk, one step at a time.
 *
 * A lock is a file that `link()` put there: it exists whole or not at all, and one process alone can be the one who
 * made it. It says who holds it. A holder that was killed leaves it behind, and then exactly one of those who see that
 * may inherit it. Deleting it would be a race: between seeing the dead holder's file and deleting it, someone else may
 * have done the same and be holding a lock of their own. So:
 *
 * 1. Each holding has a nonce. The right to inherit from holding N is the file `<lock>.<N>.claim`, again made with
 *    `link()`: one process gets it.
 * 2. The claimant reads the lock again. Still the holding that it saw first? Then no one can have inherited meanwhile,
 *    as that takes a claim, and claims are kept until the lock has changed. It renames its own file over the lock: from
 *    one moment to the next the lock is its own, and at no time was it free.
 * 3. A claimant that was killed leaves its claim behind. It is treated like a dead holder: whoever claims after it
 *    makes `<lock>.<nonce of the dead claimant>.claim`. The chain of claims is read from the lock onwards; its living
 *    end is the holder, or will be in a moment.
 * 4. Only the holder removes claims: at that moment none of them can be part of the chain.
 * 5. Of a holder whose process can't be looked at, only its silence tells (see `lock-heartbeat.ts`). It may have been
 *    stopped and wake up again, so every holder looks for its nonce in the lock before it does what can't be undone.
 */
import path from "node:path";

import { steadyNow, type Clock } from "../../shared/clock.js";
import { t } from "../../shared/language.js";
import type { Disk } from "../../shared/disk.js";
import { ComandaError, systemErrorCode } from "../../shared/errors.js";
import { randomNonce, type System } from "../../shared/system.js";
import { discard } from "../../shared/whole-file.js";
import { ifPresent, withFileErrors } from "../files/file-errors.js";
import { createSilenceWatch } from "./lock-heartbeat.js";
import { holdingText, readHolding, type Holding } from "./lock-holding.js";
import { writeNew } from "../files/private-file.js";
import type { ProcessTable } from "./process-identity.js";
import { sweepTemporaryFiles, temporaryPath } from "../files/temporary-files.js";

/** How often one attempt follows the moves of others before it counts as a wait. */
const maxMoves = 50;

/** How often one attempt puts up with its own file being gone from the folder a moment after it was written. */
const maxVanished = 5;

/** The file that waits to become the lock says since when it holds: it is written again when it is older. */
const staleMs = 1000;

/** What one process needs to take one lock once. */
export interface LockAttempt {
  /** `undefined`: it is ours now. Otherwise whoever holds it. */
  try(): Holding | undefined;
  /** Whether it still is ours. A process that was stopped may have been taken for dead. */
  isOurs(): boolean;
  /** Shows the others that we live. Never fails. */
  touch(): void;
  /** Gives the lock up; harmless where it isn't ours. */
  release(): void;
  /** Forgets about taking it, also where a failure came when it was ours already. Never fails. */
  abandon(): void;
}

export interface LockTools {
  readonly system: System;
  readonly table: ProcessTable;
  readonly clock: Clock;
}

/** @param lock path of the lock file; its folder is made where it isn't there */
export function createLockAttempt(lock: string, { system, table, clock }: LockTools): LockAttempt {
  const { disk } = system;
  const nonce = randomNonce(system);
  const candidate = temporaryPath(lock, table, nonce);
  const claimOn = (holding: Holding) => `${lock}.${holding.nonce}.claim`;
  const isSilent = createSilenceWatch(clock);
  let preparedAt: number | undefined;
  let claimed: string | undefined;

  function prepare() {
    if (preparedAt !== undefined) return;
    writeNew(disk, candidate, holdingText(nonce, Math.round(clock.now()), table.self()));
    preparedAt = steadyNow(clock);
  }

  function forgetStale() {
    if (preparedAt === undefined || steadyNow(clock) - preparedAt < staleMs) return;
    disk.remove(candidate);
    preparedAt = undefined;
  }

  /** `false` where someone else's file has the name, and where ours was taken away. */
  function put(name: string): boolean {
    try {
      disk.link(candidate, name);
      return true;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "EEXIST") return false;
      // The folder was emptied under our feet: write the candidate again and take the next turn.
      if (code === "ENOENT") {
        preparedAt = undefined;
        return false;
      }
      if (code !== undefined && noHardLinks.has(code)) throw withoutHardLinks(path.dirname(lock), error);
      throw error;
    }
  }

  function isAlive(holding: Holding): boolean {
    const { identity, leftAt } = holding;
    const state = identity ? table.look(identity, leftAt) : "out of sight";
    return state === "out of sight" ? !isSilent(holding) : state === "running";
  }

  /** The last of those who hold the lock or are next in line, whether they live, and the holding it starts from. */
  function readChain(): { root: Holding; end: Holding; alive: boolean } | undefined {
    const root = readHolding(disk, lock);
    if (!root) return undefined;
    const passed = new Set<string>();
    let end = root;
    while (!isAlive(end)) {
      passed.add(end.nonce);
      const next = readHolding(disk, claimOn(end));
      if (!next) return { root, end, alive: false };
      if (passed.has(next.nonce)) throw unusable(lock, t`the files beside it contradict each other`);
      end = next;
    }
    return { root, end, alive: true };
  }

  /** `true` where we inherited. */
  function inherit(root: Holding, end: Holding): boolean {
    const claim = claimOn(end);
    if (!put(claim)) return false;
    claimed = claim;
    if (readHolding(disk, lock)?.nonce !== root.nonce) {
      disk.remove(claim);
      claimed = undefined;
      return false;
    }
    disk.rename(candidate, lock);
    return true;
  }

  function attempt(): Holding | undefined {
    let seen: Holding | undefined;
    let vanished = 0;
    forgetStale();
    for (let move = 0; move < maxMoves; move += 1) {
      prepare();
      if (put(lock)) {
        discard(disk, candidate);
        return undefined;
      }
      if (preparedAt === undefined) vanished += 1;
      if (vanished > maxVanished) throw unusable(lock, t`files that were just written are not there`);
      const chain = readChain();
      if (!chain) continue;
      seen = chain.end;
      // A network file system may have made the link and lost the answer.
      if (chain.root.nonce === nonce) {
        discard(disk, candidate);
        return undefined;
      }
      if (chain.alive) return seen;
      if (inherit(chain.root, chain.end)) {
        removeClaims(disk, lock);
        sweepTemporaryFiles(disk, path.dirname(lock), table);
        return undefined;
      }
    }
    if (!seen) throw unusable(lock, t`its name is taken, but there is no such file`);
    return seen;
  }

  const isOurs = () => withFileErrors("read", lock, () => readHolding(disk, lock)?.nonce === nonce);
  const giveUp = () => {
    if (isOurs()) disk.remove(lock);
  };

  return {
    try: () => withFileErrors("lock", lock, attempt),
    isOurs,
    touch() {
      try {
        if (isOurs()) disk.touch(lock);
      } catch {
        // Where it is ours no more, the holder finds out before it does anything.
      }
    },
    release: () => withFileErrors("unlock", lock, () => onceMore(giveUp)),
    abandon() {
      // What is left of a living process keeps all others waiting until it ends.
      try {
        giveUp();
      } catch {
        // Its folder can't be used; the failure that led here says so.
      }
      if (claimed !== undefined) discard(disk, claimed);
      discard(disk, candidate);
    },
  };
}

/** A disk that fails once may do it the next time: what isn't given up now keeps all others waiting. */
function onceMore(work: () => void): void {
  try {
    work();
  } catch {
    work();
  }
}

const noHardLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function withoutHardLinks(folder: string, cause: unknown): ComandaError {
  return new ComandaError(
    "state_unusable",
    t`The file system of ${folder} has no hard links, which locks need.`,
    {
      hint: t`Choose a folder on another file system with COMANDA_CONFIG_DIR.`,
      cause,
    },
  );
}

function unusable(lock: string, why: string): ComandaError {
  return new ComandaError("state_unusable", t`The lock ${lock} can't be taken: ${why}.`, {
    hint: t`Check the folder ${path.dirname(lock)}, or choose another with COMANDA_CONFIG_DIR.`,
  });
}

/** What follows the lock's own name in the name of a claim on it: exactly, as a store may be called `x.lock.y`. */
const claimSuffix = /^\.(?:[0-9a-f]{16}|torn-\d+-\d+)\.claim$/;

/**
 * Only for the holder (see 4. above).
 *
 * @throws {ComandaError} `state_unusable`
 */
export function removeClaims(disk: Disk, lock: string): void {
  const folder = path.dirname(lock);
  const name = path.basename(lock);
  withFileErrors("lock", lock, () => {
    for (const entry of ifPresent(() => disk.readdir(folder)) ?? []) {
      if (entry.startsWith(name) && claimSuffix.test(entry.slice(name.length))) {
        disk.remove(path.join(folder, entry));
      }
    }
  });
}
