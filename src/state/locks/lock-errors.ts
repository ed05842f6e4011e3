/** The errors of locks; they say which process holds one. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { Holding } from "./lock-holding.js";
import type { ProcessTable } from "./process-identity.js";

/** The lock was taken from its holder, which was stopped for so long that it was taken for dead. */
export class LockLost extends ComandaError {
  readonly lock: string;

  constructor(lock: string) {
    super(
      "lock_timeout",
      t`Another process took the lock ${lock} while this one was stopped; it left everything as it was.`,
      { hint: t`Run the command again.` },
    );
    this.lock = lock;
  }
}

export function lockTimeout(
  lock: string,
  holder: Holding,
  waitedMs: number,
  table: ProcessTable,
): ComandaError {
  const waited = t`this one waited for ${Math.round(waitedMs / 1000)} s`;
  const { identity, leftAt } = holder;
  if (!identity) {
    return new ComandaError("lock_timeout", t`The lock ${lock} is busy with an unknown process; ${waited}.`, {
      hint: t`If no other comanda is running, delete ${lock}.`,
    });
  }
  const { pid, host } = identity;
  const message = t`The lock ${lock} is busy: process ${pid} on ${host} has held it${sinceWhen(holder)}; ${waited}.`;
  const hint =
    table.look(identity, leftAt) === "out of sight"
      ? t`Wait until it has ended: it runs on ${host}, in another container, or before a restart.`
      : t`Wait until process ${pid} has ended, or end it (\`kill ${pid}\`), then run the command again.`;
  return new ComandaError("lock_timeout", message, { hint });
}

/** Nothing where the file doesn't say, or says what no clock tells. */
function sinceWhen({ since = NaN }: Holding): string {
  const date = new Date(since);
  return Number.isNaN(date.getTime()) ? "" : t` since ${date.toISOString()}`;
}
