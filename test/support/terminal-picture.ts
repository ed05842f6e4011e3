/** What a terminal shows, drawn as SVG: every character in its place, in the colours that the program gave it. */

const cell = { width: 8, height: 18 };
const padding = 16;
const escapeCharacter = "\u001b";
const colorSequence = new RegExp(`(${escapeCharacter}\\[[\\d;]*m)`, "u");
const background = "#1e2127";
const foreground = "#d7dae0";
const colors: Readonly<Record<number, string>> = {
  31: "#f28b82",
  32: "#98c379",
  33: "#e5c07b",
  34: "#7ab0f5",
  35: "#d79bea",
  36: "#63c5d1",
};

interface Look {
  readonly color?: string | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
}

interface Run {
  readonly column: number;
  readonly text: string;
  readonly look: Look;
}

/**
 * @param shown lines with the escape sequences of colours alone
 * @param title for those who don't see it
 */
export function terminalPicture(shown: string, columns: number, title: string): string {
  const lines = shown
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapped(runsOf(line), columns));
  const [width, height] = [columns * cell.width + 2 * padding, lines.length * cell.height + 2 * padding];
  const texts = lines.flatMap((runs, row) => runs.map((run) => textElement(run, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="${foreground}" xml:space="preserve">`,
    ...texts,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function textElement({ column, text, look }: Run, row: number): string {
  const [x, y] = [padding + column * cell.width, padding + (row + 0.75) * cell.height];
  const looks = [
    look.color === undefined ? "" : ` fill="${look.color}"`,
    look.bold === true ? ' font-weight="bold"' : "",
    look.dim === true ? ' opacity="0.65"' : "",
  ].join("");
  // As wide as its cells, whatever the font.
  const length = text.length * cell.width;
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${looks}>${escaped(text)}</text>`;
}

/** The words of a line: the gaps between them need no text. */
function runsOf(line: string): readonly Run[] {
  let look: Look = {};
  let column = 0;
  const runs: Run[] = [];
  for (const part of line.split(colorSequence)) {
    const [, codes] = /^\[([\d;]*)m$/u.exec(part.slice(1)) ?? [];
    if (codes !== undefined) {
      look = codes.split(";").reduce(changed, look);
      continue;
    }
    for (const text of part.split(/(^ +| {2,})/)) {
      if (text.trim() !== "") runs.push({ column, text, look });
      column += text.length;
    }
  }
  return runs;
}

/** A terminal goes on in the next row where a line is longer than it is wide. */
function wrapped(runs: readonly Run[], columns: number): readonly (readonly Run[])[] {
  const fitting = runs.filter(({ column, text }) => column + text.length <= columns);
  const rest = runs
    .filter((run) => !fitting.includes(run))
    .flatMap((run) => {
      const kept = Math.max(0, columns - run.column);
      if (kept > 0) fitting.push({ ...run, text: run.text.slice(0, kept) });
      return { ...run, column: run.column + kept - columns, text: run.text.slice(kept) };
    });
  return rest.length === 0 ? [fitting] : [fitting, ...wrapped(rest, columns)];
}

function changed(look: Look, code: string): Look {
  const number = Number(code);
  if (number === 0) return {};
  if (number === 1) return { ...look, bold: true };
  if (number === 2) return { ...look, dim: true };
  if (number === 22) return { ...look, bold: false, dim: false };
  if (number === 39 || number in colors) return { ...look, color: colors[number] };
  throw new Error(`the picture knows no escape sequence ${code}`);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
