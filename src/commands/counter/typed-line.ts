/** The line that a person types on the whole screen, with the keys that readline knows. The screen draws it. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

import type { InputStream } from "../../toolkit/context.js";

export interface LineEvents {
  readonly onLine: (line: string) => void;
  /** A key was pressed that ended no line. */
  readonly onKey: () => void;
  readonly onTab: (line: string) => void;
  readonly onSuspend: () => void;
  /** @param byChoice false for Ctrl-C; Ctrl-D or a lost connection end the input */
  readonly onLeave: (byChoice: boolean) => void;
}

export class TypedLine {
  readonly #stdin: InputStream;
  readonly #events: LineEvents;
  #reading: Interface | undefined;
  /** Typed before the program was suspended. */
  #earlier = "";

  constructor(stdin: InputStream, events: LineEvents) {
    this.#stdin = stdin;
    this.#events = events;
  }

  get text(): string {
    return this.#reading?.line ?? "";
  }

  /** The index at which the next letter is inserted. */
  get cursor(): number {
    return this.#reading?.cursor ?? 0;
  }

  /** Goes on with the line. */
  write(text: string): void {
    this.#reading?.write(text);
  }

  replace(text: string): void {
    this.#reading?.write(null, { ctrl: true, name: "e" });
    this.#reading?.write(null, { ctrl: true, name: "u" });
    this.write(text);
  }

  /**
   * Takes the keyboard.
   *
   * @returns gives it back
   */
  listen(): () => void {
    const { onLine, onKey, onTab, onSuspend, onLeave } = this.#events;
    const reading = createInterface({
      input: this.#stdin,
      // The screen shows the line, so readline must not.
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      terminal: true,
      completer: (line: string, give: (error: null, result: [string[], string]) => void) => {
        give(null, [[], line]);
        setImmediate(onTab, line);
      },
    });
    this.#reading = reading;
    const onEnd = () => onLeave(true);
    reading.on("line", onLine);
    reading.on("SIGINT", () => onLeave(false));
    reading.on("SIGTSTP", onSuspend);
    reading.on("close", onEnd);
    this.#stdin.on("keypress", onKey);
    this.write(this.#earlier);
    return () => {
      this.#earlier = reading.line;
      reading.off("close", onEnd);
      this.#stdin.off("keypress", onKey);
      reading.close();
      this.#reading = undefined;
    };
  }
}
