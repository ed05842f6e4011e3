/** Creates a chain: machines that share one PostgreSQL database and have separate folders. */
import { randomBytes } from "node:crypto";

import { systemClock, type Clock } from "../../../src/base/clock.js";
import { openState as open, type State } from "../../../src/state/state.js";
import { newPostgresDatabase, queryAt } from "./engines.js";
import { temporaryFolder } from "./folder.js";

export interface Chain {
  readonly address: string;
  /** Opens the state of another machine. */
  machine(env?: Readonly<Record<string, string | undefined>>, clock?: Clock): Promise<State>;
  /** Executes SQL as the database's owner. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export function newStateKey(): string {
  return randomBytes(32).toString("base64");
}

/** The key of every chain. */
export const stateKey = newStateKey();

/** @param options as {@link newPostgresDatabase} */
export async function newChain(options: { readonly isBare?: boolean } = {}): Promise<Chain> {
  const address = await newPostgresDatabase(options);
  return {
    address,
    machine: (env = {}, clock = systemClock) =>
      open({
        env: {
          COMANDA_CONFIG_DIR: temporaryFolder(),
          COMANDA_STATE: address,
          COMANDA_STATE_KEY: stateKey,
          ...env,
        },
        clock,
      }),
    query: (sql) => queryAt(address, sql),
  };
}
