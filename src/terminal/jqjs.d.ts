/** The package has no types of its own. */
declare module "@michaelhomer/jqjs" {
  /** @throws {unknown} texts and errors, for an expression that isn't one, and while the results are asked for */
  export function compile(expression: string): (input: unknown) => Iterable<unknown>;
}
