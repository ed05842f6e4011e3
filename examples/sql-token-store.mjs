// Stores the tokens of comanda/oauth in a table of your own database, PostgreSQL or SQLite. Each store has one row, which any
// number of processes and servers share. Copy this file and change it: the TokenStore of comanda/oauth documents the contract.

/**
 * @typedef {Record<string, unknown>[]} Rows
 * @typedef {(sql: string, values: (string | number)[]) => Promise<Rows | { rows: Rows }>} Query
 */

/**
 * A write succeeds only if the row still has the generation that was read. The tokens are unencrypted JSON: anyone who can read
 * the table can act for the stores.
 *
 * @param {Query} query runs one statement with the placeholders `$1`, `$2` and so on, in order and each once; resolves once the
 *   statement is committed to disk
 * @param {string} table only letters, digits and "_", because statements contain it unescaped
 */
export function createSqlTokenStore(query, table = "comanda_tokens") {
  /** @type {(sql: string, values?: (string | number)[]) => Promise<Rows>} */
  const rows = async (sql, values = []) => {
    const answer = await query(sql, values);
    return "rows" in answer ? answer.rows : answer;
  };
  /** @type {Map<string, Promise<unknown>>} The last work with each key, because this process runs one at a time. */
  const turns = new Map();
  return {
    /** Creates the table if it doesn't exist. */
    async setUp() {
      await rows(
        `create table if not exists ${table} (token_key text primary key, tokens text not null, generation bigint not null)`,
      );
    },

    /** @param {string} key */
    async load(key) {
      const [row] = await rows(`select tokens, generation from ${table} where token_key = $1`, [key]);
      // Some drivers return a bigint as text.
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
