/** Prints an answer: byte for byte into a file or pipe, readable and harmless on a terminal. */
import { once } from "node:events";
import { STATUS_CODES } from "node:http";

import type { AnswerHead } from "../../client/http/transport.js";
import { parseJson } from "../../shared/json.js";
import { printable, printableLines, safeJsonText } from "../../terminal/escape.js";
import type { Context } from "../../toolkit/context.js";

export interface AnswerWriterOptions extends Pick<Context, "stdout" | "signal"> {
  /** Print the status line and the headers first? */
  readonly include: boolean;
}

export class AnswerWriter {
  readonly #options: AnswerWriterOptions;
  /** A terminal gets the answer as a whole, so that its JSON can be indented. */
  readonly #heldPieces: Uint8Array[] = [];

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
    const { stdout, signal } = this.#options;
    if (stdout.isTTY === true) this.#heldPieces.push(piece);
    else if (!stdout.stream.write(piece)) await once(stdout.stream, "drain", { signal });
  }

  /** Writes what a terminal has not got yet. */
  end(): void {
    const text = new TextDecoder().decode(Buffer.concat(this.#heldPieces));
    if (text === "") return;
    const isJson = parseJson(text) !== undefined;
    // A lone CR would go back to the start of the line and write over it.
    const safeText = isJson
      ? safeJsonText(indentJson(text))
      : printableLines(text).replaceAll(/\r(?!\n)/g, "\\r");
    this.#options.stdout.write(safeText.endsWith("\n") ? safeText : `${safeText}\n`);
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
