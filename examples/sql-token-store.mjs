// A store of tokens for comanda/oauth in a table of your own database, PostgreSQL or SQLite: one row a store, which any number
// of processes and servers share. Copy it, and change what you like: the TokenStore of comanda/oauth says what it has to keep.

/**
 * @typedef {Record<string, unknown>[]} Rows
 * @typedef {(sql: string, values: (string | number)[]) => Promise<Rows | { rows: Rows }>} Query
 */

/**
 * A write counts only where the row still has the generation that was read. Tokens lie in it as JSON, in the clear, so whoever
 * may read the table can act for the stores.
 *
 * @param {Query} query runs one statement, whose values stand as `$1`, `$2` … in their order, each once; when it resolves, it
 *   is committed and on the disk
 * @param {string} table a name of letters, digits and "_", which goes into the statements as it is
 */
export function createSqlTokenStore(query, table = "comanda_tokens") {
  /** @type {(sql: string, values?: (string | number)[]) => Promise<Rows>} */
  const rows = async (sql, values = []) => {
    const answer = await query(sql, values);
    return "rows" in answer ? answer.rows : answer;
  };
  /** The end of the last work with each key: in this process they come one after the other. */
  /** @type {Map<string, Promise<unknown>>} */
  const turns = new Map();
  return {
    /** Creates the table where there is none. */
    async setUp() {
      await rows(
        `create table if not exists ${table} (token_key text primary key, tokens text not null, generation bigint not null)`,
      );
    },

    /** @param {string} key */
    async load(key) {
      const [row] = await rows(`select tokens, generation from ${table} where token_key = $1`, [key]);
      // Drivers give a bigint as a text, too.
      return row && { tokens: JSON.parse(String(row["tokens"])), generation: Number(row["generation"]) };
    },

    /**
     * @param {string} key
     * @param {object} tokens
     * @param {number} expectedGeneration
     */
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

    /**
     * @template Result
     * @param {string} key
     * @param {() => Promise<Result>} work
     * @returns {Promise<Result>}
     */
    async lock(key, work) {
      const result = (turns.get(key) ?? Promise.resolve()).then(work);
      const turn = result.catch(() => undefined);
      turns.set(key, turn);
      try {
        return await result;
      } finally {
        if (turns.get(key) === turn) turns.delete(key);
      }
    },
  };
}
