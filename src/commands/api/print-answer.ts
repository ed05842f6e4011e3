/** Prints an answer: as it came into a file or pipe, readable and harmless on a terminal. */
import { STATUS_CODES } from "node:http";

import type { HttpAnswer } from "../../client/transport.js";
import { parseJson } from "../../api/json.js";
import { printable, printableLines, safeJsonText } from "../../cli/escape.js";
import type { Context } from "../../cli/context.js";

/** @param include print the status line and the headers first? */
export function printAnswer(
  { stdout }: Pick<Context, "stdout">,
  { status, headers, setCookies = [], body }: HttpAnswer,
  include: boolean,
): void {
  if (include) {
    const lines = [
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...setCookies.map((value) => `set-cookie: ${value}`),
    ];
    // The client speaks no other version.
    const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
    stdout.write(`${[first, ...lines].map(printable).join("\n")}\n\n`);
  }
  if (body === "") return;
  if (stdout.isTTY !== true) {
    stdout.write(body);
    return;
  }
  const isJson = parseJson(body) !== undefined;
  // A lone CR would go back to the start of the line and write over it.
  const safeText = isJson
    ? safeJsonText(indentJson(body))
    : printableLines(body).replaceAll(/\r(?!\n)/g, "\\r");
  stdout.write(safeText.endsWith("\n") ? safeText : `${safeText}\n`);
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
