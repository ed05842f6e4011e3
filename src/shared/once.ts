/**
 * What is made when it is first asked for, and then kept. A schema of many fields costs a start more than most commands'
 * own work; few commands need many of them.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
