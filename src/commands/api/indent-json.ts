/**
 * Indents a JSON text token by token: `JSON.parse` and `JSON.stringify` would round long numbers.
 *
 * @param json valid JSON
 */
export function indentJson(json: string): string {
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
      const opened = tokens[index - 1];
      text += opened === "{" || opened === "[" ? token : `${lineEnd(depth)}${token}`;
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
