/** What sessions, settings and what lies in databases share: private files, leases, and two databases. */
import type { Clock } from "../client/clock.js";
import type { Columns, Database, DatabaseName, Row, Value } from "./database.js";
import type { WithLease } from "./leases.js";
import type { PrivateFiles } from "./private-file.js";

export interface Databases {
  /**
   * Opened, and made where it isn't there, when it is first asked for.
   *
   * @throws {ComandaError} `state_unusable`, `lock_timeout`; it is tried anew by whoever asks next
   */
  readonly database: (name: DatabaseName) => Promise<Database>;
  /** Like {@link database}, for readers: gives `undefined` where there is no database, and makes none. */
  readonly existingDatabase: (name: DatabaseName) => Promise<Database | undefined>;
  /** Gives the rows that a query finds: none where there is no database. */
  readonly rowsIn: <Names extends Columns>(
    name: DatabaseName,
    columns: Names,
    sql: string,
    ...values: readonly Value[]
  ) => Promise<readonly Row<Names>[]>;
  /**
   * Is there one, whether or not it can be used?
   *
   * @throws {ComandaError} `state_unusable` where its folder isn't safe to be used
   */
  readonly hasDatabase: (name: DatabaseName) => boolean;
}

/** A folder that is the user's own: private files lie there, with `comanda.db` and `sales.db`. */
export interface StateFolder extends Databases {
  /** Empty where the user has no folder; then everything that needs it fails. */
  readonly path: string;
  readonly files: PrivateFiles;
  readonly clock: Clock;
  readonly withLease: WithLease;
  /** Ends waits. */
  readonly signal: AbortSignal | undefined;
  readonly warn: (message: string) => void;
}

/** Opens each database once, wherever they lie. */
export function createDatabases(
  open: (name: DatabaseName) => Promise<Database>,
  hasDatabase: (name: DatabaseName) => boolean,
): Databases {
  const databases = new Map<DatabaseName, Promise<Database>>();

  function database(name: DatabaseName): Promise<Database> {
    const opened = databases.get(name);
    if (opened) return opened;
    const opening = open(name);
    databases.set(name, opening);
    opening.catch(() => databases.delete(name));
    return opening;
  }

  const existingDatabase: Databases["existingDatabase"] = async (name) =>
    hasDatabase(name) ? database(name) : undefined;

  return {
    database,
    existingDatabase,
    rowsIn: async (name, ...query) => (await (await existingDatabase(name))?.rows(...query)) ?? [],
    hasDatabase,
  };
}
