/** Which words of a text are of the other language: those that no sentence does without. */

const english =
  /(?<![\p{L}\d-])(?:the|an|of|with|without|and|not|is|are|was|were|this|that|these|which|from|by|its|it|when|where|what|who|than|then|been|will|only|each|every|must|there|their|other|into|until|yet|you|your)(?![\p{L}\d-])/iu;
const portuguese =
  /(?<![\p{L}\d-])(?:não|uma|um|você|dos|das|nos|nas|pelo|pela|que|com|sem|loja|pedidos?|também|então|está|são|seu|sua|mais)(?![\p{L}\d-])|[ãõç]/iu;

export function englishIn(text: string): readonly string[] {
  return linesWith(english, text);
}

export function portugueseIn(text: string): readonly string[] {
  return linesWith(portuguese, text);
}

function linesWith(words: RegExp, text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => [line, spoken(line)] as const)
    .filter(([, said]) => words.test(said))
    .map(([line, said]) => `${line.trim()} (${words.exec(said)?.[0] ?? ""})`);
}

/** Without what is typed or copied: command lines, options, values, names of files, what stands in quotes. */
function spoken(line: string): string {
  return line
    .replace(/^ *(?:\$|import|select|create|grant) .*$/, "")
    .replaceAll(/"[^"]*"|'[^']*'(?!\w)|`[^`]*`|<[^>]*>|\[[^\]]*\]/g, " ")
    .replaceAll(/(?<![\w-])--?[\w-]+(?:[= ][A-Z]+)?/g, " ")
    .replaceAll(/\S*[_/\\=@{}]\S*/g, " ");
}
