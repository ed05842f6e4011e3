/**
 * Makes a value when it is first needed, and keeps it. A schema of many fields costs a start more than most commands'
 * own work, and few commands need many of them.
 */
export function once<Value>(make: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => (kept ??= { value: make() }).value;
}
