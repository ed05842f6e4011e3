/**
 * The write of a row that several processes change: it counts only where the row still has the generation that was read,
 * so that of two that read the same, one alone has written.
 */

/**
 * Each value goes in once, in this order: those of `others`, the key, and in an update the generation that was read.
 *
 * @param others the columns beside the key; one of them is `generation`
 */
export function generationWrite(
  table: string,
  key: string,
  others: readonly string[],
): { readonly insert: string; readonly update: string } {
  const columns = [...others, key];
  const places = columns.map((_, index) => `$${index + 1}`);
  const changes = others.map((name, index) => `${name} = ${places[index] ?? ""}`);
  return {
    insert: `insert into ${table} (${columns.join(", ")}) values (${places.join(", ")}) on conflict (${key}) do nothing`,
    update: `update ${table} set ${changes.join(", ")} where ${key} = $${columns.length} and generation = $${columns.length + 1}`,
  };
}
