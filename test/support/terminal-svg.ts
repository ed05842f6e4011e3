/** Draws what a program prints on a terminal as SVG, with the styles that comanda uses. */
import { stripVTControlCharacters } from "node:util";

/** The size of a character, and of the margin around the text, in pixels. */
const size = { width: 8.4, height: 20, margin: 16 };

const background = "#0d1117";
const colors: Readonly<Record<string, string>> = { 31: "#ff7b72", 32: "#3fb950", 33: "#d29922" };
const plain = { fill: "#e6edf3", weight: "normal" };

/** @param text lines with SGR sequences (ECMA-48, section 8.3.117) for bold, dim, red, green and yellow */
export function terminalSvg(text: string): string {
  const lines = text.trimEnd().split("\n");
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * size.width + 2 * size.margin);
  const height = lines.length * size.height + 2 * size.margin;
  const drawn = lines.flatMap((line, row) => runsOf(line).map((run) => drawRun(run, row)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${drawn.join("\n")}
</g>
</svg>
`;
}

interface Run {
  readonly text: string;
  readonly column: number;
  readonly fill: string;
  readonly weight: string;
}

/** Splits a line where its style changes, and at two or more blanks. */
function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let [column, style] = [0, plain];
  // eslint-disable-next-line no-control-regex -- the sequences begin with ESC
  for (const [index, part] of line.split(/\u001b\[(\d+)m/).entries()) {
    if (index % 2 === 1) {
      style = styled(style, part);
      continue;
    }
    // SVG collapses blanks, so each column of a table gets its own position.
    for (const { 0: text, index: at } of part.matchAll(/\S+(?: \S+)*/g))
      runs.push({ text, column: column + at, ...style });
    column += part.length;
  }
  return runs;
}

function styled(style: typeof plain, code: string): typeof plain {
  if (code === "1") return { ...style, weight: "bold" };
  if (code === "2") return { ...style, fill: "#8b949e" };
  if (code === "22") return plain;
  if (code === "39") return { ...style, fill: plain.fill };
  const fill = colors[code];
  if (fill === undefined) throw new Error(`The picture has no style for SGR ${code}.`);
  return { ...style, fill };
}

function drawRun({ text, column, fill, weight }: Run, row: number): string {
  const x = size.margin + column * size.width;
  const y = size.margin + row * size.height + 15;
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  // Columns stay aligned in any font.
  const length = (text.length * size.width).toFixed(1);
  return `<text x="${x.toFixed(1)}" y="${y}" fill="${fill}" font-weight="${weight}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped}</text>`;
}
