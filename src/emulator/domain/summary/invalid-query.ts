/** A query that the service refuses with code 4000. */
export class InvalidQuery extends Error {
  override readonly name = "InvalidQuery";

  /** @param details the text of the error body's `details` */
  constructor(readonly details: string) {
    super(details);
  }
}
