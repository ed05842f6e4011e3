/** The two streams that a program writes to, as much of them as comanda needs. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Width in characters; absent where it isn't a terminal. */
  readonly columns?: number | undefined;
}
