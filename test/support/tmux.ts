/** A program in tmux: a terminal with a screen that can be read, and keys that are pressed. */
import { execFileSync, spawnSync } from "node:child_process";

/** Tests skip where it isn't installed: `describe.skipIf(!tmuxAvailable)`. */
export const tmuxAvailable = spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0;

export interface TmuxOptions {
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class Tmux {
  static #count = 0;
  readonly #server = `comanda-${process.pid}-${(Tmux.#count += 1)}`;
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(command: readonly string[], { columns, rows, env }: TmuxOptions) {
    this.#env = { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", ...env };
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#run(["-u", "-f", "/dev/null", "new-session", "-d", ...size, ...command]);
  }

  /** @param keys as tmux calls them (`Enter`, `Tab`), or with `typed` letter by letter */
  press(...keys: readonly string[]): void {
    this.#run(["send-keys", ...keys]);
  }

  type(text: string): void {
    this.#run(["send-keys", "-l", text]);
  }

  /** The lines that are shown, without blanks at their ends. */
  screen(): string {
    return this.#run(["capture-pane", "-p"])
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n");
  }

  close(): void {
    spawnSync("tmux", ["-L", this.#server, "kill-server"], { stdio: "ignore" });
  }

  #run(words: readonly string[]): string {
    const env = Object.fromEntries(
      Object.entries(this.#env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    return execFileSync("tmux", ["-L", this.#server, ...words], { env, encoding: "utf8" });
  }
}
