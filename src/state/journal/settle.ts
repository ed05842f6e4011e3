/** Writes down what a person has looked up of an order whose change is unknown. */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { Statements } from "../database.js";
import type { StateFolder } from "../state-folder.js";
import { readPage, type HistoryRow, type SettledAs } from "./history.js";

export interface Settling {
  readonly order: string;
  readonly as: SettledAs;
  /** The person who says so. */
  readonly by: string;
  readonly note: string | undefined;
  /** Absent where the order's id alone tells. */
  readonly store: string | undefined;
}

export interface SettledWrites {
  /** The rows as they are now, the newest first. */
  readonly settled: readonly HistoryRow[];
  /** Other changes of the order that are unknown still. */
  readonly left: readonly HistoryRow[];
}

/**
 * A person looks at the order, and not at a request: so all that is unknown of its newest unknown change is settled, however
 * often it was sent. Where all was settled before, what was said last is corrected.
 *
 * @throws {ComandaError} `invalid_input` where nothing of the order is unknown, or it is one of several stores;
 *   `state_unusable`
 */
export async function settleOrder(state: StateFolder, settling: Settling): Promise<SettledWrites> {
  const { order, as, by, note } = settling;
  const database = await state.existingDatabase("comanda");
  if (!database) throw nothingUnknown(order);
  const at = Math.round(state.clock.now());
  return database.transaction("settle", async (statements) => {
    const { meant, left } = meantOf(await unknownOf(statements, settling), order);
    for (const { run, number } of meant) {
      await statements.run(
        `update writes set settled_as = $3, settled_by = $4, settled_at = $5, settled_note = $6
         where run_id = $1 and number = $2`,
        ...[run, number, as, by, at, note ?? null],
      );
    }
    const settled = { outcome: as, by, at: new Date(at).toISOString(), note: note ?? null };
    return { settled: meant.map((row) => ({ ...row, settled })), left };
  });
}

/** One order has few rows. */
const mostRows = 1000;

async function unknownOf(
  statements: Statements,
  { order, store }: Pick<Settling, "order" | "store">,
): Promise<readonly HistoryRow[]> {
  const rows = await readPage(statements, { order, store }, undefined, mostRows);
  return rows.filter(({ outcome }) => outcome === "unknown");
}

function meantOf(
  unknown: readonly HistoryRow[],
  order: string,
): { readonly meant: readonly HistoryRow[]; readonly left: readonly HistoryRow[] } {
  const open = unknown.filter(({ settled }) => settled === undefined);
  const candidates = open.length > 0 ? open : unknown;
  const [newest] = candidates;
  if (!newest) throw nothingUnknown(order);
  const placeOf = (row: HistoryRow) => row.store ?? row.environment;
  const places = [...new Set(candidates.map(placeOf))];
  if (places.length > 1) {
    throw new ComandaError(
      "invalid_input",
      t`Order ${order} is unknown at several stores: ${places.join(", ")}.`,
      { hint: t`Say which one is meant: --store ${placeOf(newest)}` },
    );
  }
  const isMeant = ({ operation }: HistoryRow) => operation === newest.operation;
  return {
    meant: candidates.filter(isMeant),
    left: open.filter((row) => !isMeant(row)),
  };
}

function nothingUnknown(order: string): ComandaError {
  return new ComandaError("invalid_input", t`Nothing that was sent of order ${order} is unknown here.`, {
    hint: t`\`comanda history --order ${order}\` shows what was sent, and what came of it.`,
  });
}
