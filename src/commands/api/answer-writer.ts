/** Prints an answer: byte for byte into a file or pipe, readable and harmless on a terminal. */
import { once } from "node:events";
import { STATUS_CODES } from "node:http";

import type { AnswerHead } from "../../client/http/transport.js";
import { parseJson } from "../../shared/json.js";
import { printable, printableLines, safeJsonText } from "../../terminal/escape.js";
import type { Context } from "../../toolkit/context.js";

/** A longer answer isn't kept as a whole, so it isn't indented. */
const maxIndentedLength = 1024 * 1024;

export interface AnswerWriterOptions extends Pick<Context, "stdout" | "signal"> {
  /** Print the status line and the headers first? */
  readonly include: boolean;
}

export class AnswerWriter {
  readonly #options: AnswerWriterOptions;
  readonly #decoder = new TextDecoder();
  /** The answer so far; `undefined` once it is too long to be indented. */
  #whole: string | undefined = "";
  #last = "\n";

  constructor(options: AnswerWriterOptions) {
    this.#options = options;
  }

  head({ status, headers, setCookies = [] }: AnswerHead): void {
    if (!this.#options.include) return;
    const lines = [
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...setCookies.map((value) => `set-cookie: ${value}`),
    ];
    // The client speaks no other version.
    const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
    this.#options.stdout.write(`${[first, ...lines].map(printable).join("\n")}\n\n`);
  }

  /** Writes a piece of the body, and resolves when the reader is ready for the next. */
  async body(piece: Uint8Array): Promise<void> {
    if (this.#options.stdout.isTTY !== true) {
      await this.#write(piece);
      return;
    }
    await this.#text(this.#decoder.decode(piece, { stream: true }));
  }

  async end(): Promise<void> {
    if (this.#options.stdout.isTTY !== true) return;
    await this.#text(this.#decoder.decode());
    const whole = this.#whole ?? "";
    if (whole !== "")
      await this.#safe(
        parseJson(whole) !== undefined ? safeJsonText(indentJson(whole)) : printableLines(whole),
      );
    if (this.#last !== "\n") await this.#write("\n");
  }

  async #text(text: string): Promise<void> {
    if (this.#whole === undefined) {
      await this.#safe(printableLines(text));
      return;
    }
    this.#whole += text;
    if (this.#whole.length <= maxIndentedLength) return;
    const sofar = this.#whole;
    this.#whole = undefined;
    await this.#safe(printableLines(sofar));
  }

  async #safe(text: string): Promise<void> {
    if (text === "") return;
    this.#last = text.at(-1) ?? "";
    // A lone CR would go back to the start of the line and write over it.
    await this.#write(text.replaceAll(/\r(?!\n)/g, "\\r"));
  }

  async #write(text: string | Uint8Array): Promise<void> {
    const {
      stdout: { stream: stdout },
      signal,
    } = this.#options;
    if (!stdout.write(text)) await once(stdout, "drain", { signal });
  }
}

/**
 * Indents a JSON text token by token: `JSON.parse` and `JSON.stringify` would round long numbers.
 *
 * @param json valid JSON
 */
function indentJson(json: string): string {
  let depth = 0;
  let text = "";
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  tokens.forEach((token, index) => {
    const isEmpty = closes(tokens[index + 1]);
    if (token === "{" || token === "[") {
      depth += 1;
      text += isEmpty ? token : `${token}${lineEnd(depth)}`;
    } else if (closes(token)) {
      depth -= 1;
      const previous = tokens[index - 1];
      text += previous === "{" || previous === "[" ? token : `${lineEnd(depth)}${token}`;
    } else if (token === ",") text += `,${lineEnd(depth)}`;
    else text += token === ":" ? ": " : token;
  });
  return text;
}

function closes(token: string | undefined): boolean {
  return token === "}" || token === "]";
}

function lineEnd(depth: number): string {
  return `\n${"  ".repeat(depth)}`;
}
