import type { Command } from "commander";

import type { Column } from "../../terminal/index.js";
import type { Context } from "../context.js";
import { leaf, perform, type Invocation } from "../leaf.js";
import { describeState, reportOf, stateOf, type StatusReport } from "../session-state.js";

interface StoreRow extends StatusReport {
  readonly default: boolean;
  /** Why its file can't be used. */
  readonly error: string | null;
}

export function listStoresCommand(context: Context): Command {
  const command = leaf({
    usage: "list",
    summary: "list the stores that this machine knows",
    takes: ["format"],
    examples: ["stores list", "stores list --json"],
  });
  return perform(command, context, listStores);
}

async function listStores(invocation: Invocation): Promise<void> {
  const { context, output } = invocation;
  const { openState } = await import("../state.js");
  const { sessions, settings } = openState(invocation);
  const chosen = settings.read().default_store;
  const known = await sessions.list();
  const rows = known.map((session): StoreRow => {
    const isDefault = known.length === 1 || session.store === chosen;
    if ("error" in session) {
      const { store, error } = session;
      return { ...unusable, store, default: isDefault, error: error.message };
    }
    return { ...reportOf(session, stateOf(session, context.clock.now())), default: isDefault, error: null };
  });
  if (rows.length === 0 && output.format === "table") {
    output.notice("No store yet. Sign in at one: comanda login --store <alias> --env <name>");
    return;
  }
  await output.records(columns, rows);
}

const unusable: Omit<StatusReport, "store"> = {
  ...{ environment: null, state: "signed_out" as const, scopes: [], expires_at: null },
  ...{ has_api_key: false, has_partner_key: false, has_refresh_token: false },
};

const columns: readonly Column<StoreRow>[] = [
  { heading: "Store", name: "store", cell: ({ store }) => store },
  { heading: "Environment", name: "environment", cell: ({ environment }) => environment },
  { heading: "Default", name: "default", cell: ({ default: isDefault }) => (isDefault ? "yes" : "") },
  { heading: "API key", name: "has_api_key", cell: ({ has_api_key: has }) => (has ? "yes" : "") },
  { heading: "State", name: "state", cell: (row) => row.error ?? describeState(row) },
];
