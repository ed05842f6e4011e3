/** Thrown by a command that ends as another program did: nothing is said, and the exit code is that program's. */
export class Exit extends Error {
  override readonly name = "Exit";

  /** @param exitCode from 0 to 255 */
  constructor(readonly exitCode: number) {
    super(`exit code ${exitCode}`);
  }
}
