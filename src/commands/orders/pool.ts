/** Works through a list, several at a time, without holding more than is under way. */

/**
 * Calls `work` for each item, at most `width` at once. It never rejects on an item's account: `work` has to
 * turn its own failures into values.
 */
export async function eachOf<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
