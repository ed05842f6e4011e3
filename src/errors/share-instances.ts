/**
 * Lets `instanceof` hold between copies of a class: one program may load this package twice, as an ES module and
 * through `require`, and an error of the one must be known to the other.
 *
 * @param name the same in every copy
 */
export function shareInstances(shared: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(name);
  Object.defineProperty(shared.prototype, mark, { value: true });
  Object.defineProperty(shared, Symbol.hasInstance, {
    value(this: object, value: unknown): boolean {
      // A subclass of somebody's inherits this, and is asked for its own instances alone.
      if (this === shared) return typeof value === "object" && value !== null && mark in value;
      return Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}
