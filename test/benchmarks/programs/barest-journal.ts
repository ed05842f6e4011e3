/**
 * What no journal in a database does without: for each group of orders that go out together, one commit with their rows, and
 * with what became of the group before; nothing is found by an index. Prints nothing.
 */
import process from "node:process";

import { openSqlite } from "../../../src/state/sqlite.js";

function main([file = "", orders = "", atOnce = ""]: readonly string[]): void {
  const connection = openSqlite(file);
  connection.exec("pragma journal_mode = wal; pragma synchronous = full");
  connection.exec(
    "create table writes (number integer primary key, at integer, order_id text, outcome text) strict",
  );
  const insert = connection.prepare("insert into writes values (?, ?, ?, 'unknown')");
  const update = connection.prepare("update writes set outcome = 'done' where number >= ? and number < ?");
  const [count, size] = [Number(orders), Number(atOnce)];
  for (let first = 0; first < count; first += size) {
    const now = Date.now();
    connection.exec("begin immediate");
    update.run(first - size, first);
    for (let number = first; number < first + size; number += 1)
      insert.run(number, now, String(100_000 + number));
    connection.exec("commit");
  }
  connection.close();
}

main(process.argv.slice(2));
