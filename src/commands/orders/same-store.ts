/** A run that was cut short continues only at the store where it began. */
import { ComandaError } from "../../shared/errors.js";
import { t } from "../../shared/language.js";
import type { WhoseRun } from "../../state/journal/runs.js";
import type { Connection } from "../../toolkit/connection.js";
import type { Machine } from "../../toolkit/machine.js";

/**
 * After another sign-in, or with another key, only a person knows whether the store is the same. Another address is
 * another service.
 *
 * @param confirm the store that `--confirm` names
 * @throws {ComandaError} `invalid_input` where it is another store, or nobody confirms that it is the same
 */
export async function confirmSameStore(
  machine: Pick<Machine, "canAsk" | "askText">,
  { label, fingerprint }: Pick<Connection, "label" | "fingerprint">,
  { id: run, fingerprint: runFingerprint, difference }: Pick<WhoseRun, "id" | "fingerprint" | "difference">,
  confirm: string | undefined,
): Promise<void> {
  if (difference === "address") {
    const [before, now] = [runFingerprint?.address ?? "", fingerprint().address];
    throw new ComandaError(
      "invalid_input",
      t`The run ${run} was begun at ${before}, and ${label} is at ${now} now.`,
      {
        hint: t`Nothing was sent. Go on where it was begun, or begin a run with what is left: \`comanda history\` shows what was sent.`,
      },
    );
  }
  if (difference === undefined || confirm !== undefined) return;
  const message =
    difference === "bearer"
      ? t`The run ${run} was begun with another sign-in.`
      : t`The run ${run} was begun with another API key.`;
  if (machine.canAsk()) {
    const answer = await machine.askText(
      t`${message} If it is of the same store, type ${label} to go on with it:`,
    );
    if (answer === label) return;
  }
  throw new ComandaError("invalid_input", message, {
    hint: t`Nothing was sent, since nothing tells whether it is the same store. If it is, say so: --confirm ${label}`,
  });
}
