/** This store keeps tokens in a table of the program's own database. */
import * as z from "zod/mini";

import { aFunction, checkOptions, must, optionsOf } from "../client/checks.js";
import { parseJson } from "../shared/json.js";
import { once } from "../shared/once.js";
import { createTurns, type StoredTokens, type TokenStore } from "./token-store.js";

/** The rows have their values by the names of the columns: as a list, or as `pg` wraps it. */
export type SqlRows =
  | readonly Readonly<Record<string, unknown>>[]
  | { readonly rows: readonly Readonly<Record<string, unknown>>[] };

export interface SqlTokenStoreOptions {
  /**
   * Runs one statement of PostgreSQL or SQLite and gives its rows. Its values stand as `$1`, `$2` … in their order, each
   * once, so that a driver with `?` in their place takes `sql.replaceAll(/\$\d/g, "?")`. A statement that has resolved must be
   * committed, and on the disk.
   *
   * ```js
   * query: (sql, values) => pool.query(sql, values) // pg
   * query: async (sql, values) => database.prepare(sql.replaceAll(/\$\d/g, "?")).all(...values) // node:sqlite
   * ```
   */
  readonly query: (sql: string, values: (string | number)[]) => Promise<SqlRows>;
  /** The table has this name; `schema.table` will do too. The default is `comanda_tokens`. */
  readonly table?: string;
}

export interface SqlTokenStore extends TokenStore {
  /** Creates the table where there is none. */
  setUp(): Promise<void>;
}

/**
 * Keeps one row for each store, which any number of processes and servers share: a write counts only where the row
 * still has the generation that was read. Tokens lie in it as JSON, in the clear, so whoever may read the table can
 * act for the stores. To keep them encrypted, put `load` and `save` of your own around these.
 *
 * @throws {ComandaError} `configuration` for options that can't be used
 */
export function createSqlTokenStore(options: SqlTokenStoreOptions): SqlTokenStore {
  checkOptions(optionsSchema(), options, "createSqlTokenStore");
  const { query, table = "comanda_tokens" } = options;
  const rows = async (sql: string, values: (string | number)[] = []) => {
    const answer = await query(sql, values);
    return "rows" in answer ? answer.rows : answer;
  };
  return {
    async setUp() {
      await rows(
        `create table if not exists ${table} (token_key text primary key, tokens text not null, generation bigint not null)`,
      );
    },

    async load(key) {
      const [row] = await rows(`select tokens, generation from ${table} where token_key = $1`, [key]);
      if (row === undefined) return undefined;
      const { tokens, generation } = row;
      const parsed = typeof tokens === "string" ? parseJson(tokens) : tokens;
      // The tokens are checked where they are used; drivers give a bigint as a text, too.
      return { tokens: parsed as StoredTokens, generation: Number(generation) };
    },

    async save(key, tokens, expectedGeneration) {
      const values = [JSON.stringify(tokens), expectedGeneration + 1, key];
      const written =
        expectedGeneration === 0
          ? await rows(
              `insert into ${table} (tokens, generation, token_key) values ($1, $2, $3)
               on conflict (token_key) do nothing returning generation`,
              values,
            )
          : await rows(
              `update ${table} set tokens = $1, generation = $2 where token_key = $3 and generation = $4
               returning generation`,
              [...values, expectedGeneration],
            );
      return written.length > 0;
    },

    lock: createTurns(),
  };
}

const optionsSchema = once(() => {
  const name = must('a name of letters, digits and "_", also with the schema before it');
  return optionsOf({
    query: aFunction("For example: query: (sql, values) => pool.query(sql, values)"),
    table: z.optional(z.string(name).check(z.regex(/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$/, name))),
  } satisfies Record<keyof SqlTokenStoreOptions, z.ZodMiniType>);
});
