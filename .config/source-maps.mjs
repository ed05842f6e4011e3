// @ts-check
/** Source maps of the library: of our own lines alone, named by their place in the repository. */
import path from "node:path";

/** @typedef {{ readonly version: 3, readonly sources: readonly string[], readonly names: readonly string[], readonly mappings: string }} SourceMap */

/**
 * Half of what esbuild maps are zod's lines, which nobody looks for in a stack. They are left out, and so is a second
 * place of one line: a stack names the line.
 *
 * @param {SourceMap} map
 * @param {{ readonly folder: string, readonly root: string }} place the folder that the map was made in, and the repository
 * @returns {SourceMap}
 */
export function ownSourceMap(map, { folder, root }) {
  const places = map.sources.map((source) => path.relative(root, path.resolve(folder, source)));
  /** @type {string[]} */
  const sources = [];
  /** @type {string[]} */
  const names = [];
  let [source, line, column, name] = [0, 0, 0, 0];
  const last = { source: 0, line: 0, column: 0, name: 0 };
  const mappings = map.mappings.split(";").map((segments) => {
    let [generated, lastGenerated] = [0, 0];
    let lastSpot = "";
    return segments
      .split(",")
      .filter((segment) => segment !== "")
      .flatMap((segment) => {
        const [byGenerated = 0, bySource, byLine = 0, byColumn = 0, byName] = numbersOf(segment);
        generated += byGenerated;
        source += bySource ?? 0;
        line += byLine;
        column += byColumn;
        name += byName ?? 0;
        const place = places[source] ?? "";
        const isForeign = bySource === undefined || place.startsWith("node_modules");
        const spot = isForeign ? "" : `${place}:${line}`;
        // A name is that of the function which a line of a stack stands in.
        if (spot === lastSpot && byName === undefined) return [];
        lastSpot = spot;
        const numbers = [generated - lastGenerated];
        lastGenerated = generated;
        if (isForeign) return [textOf(numbers)];
        const next = { source: indexIn(sources, place), line, column };
        numbers.push(next.source - last.source, line - last.line, column - last.column);
        Object.assign(last, next);
        if (byName === undefined) return [textOf(numbers)];
        const index = indexIn(names, map.names[name] ?? "");
        numbers.push(index - last.name);
        last.name = index;
        return [textOf(numbers)];
      })
      .join(",");
  });
  const shown = sources.map((own) => path.posix.join("../..", own));
  return { version: 3, sources: shown, names, mappings: mappings.join(";") };
}

/**
 * @param {string[]} list gets the text, where it lacks it
 * @param {string} text
 */
function indexIn(list, text) {
  const index = list.indexOf(text);
  return index === -1 ? list.push(text) - 1 : index;
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** @param {string} segment Base64 VLQ: five bits a digit, the lowest first, and the sign in the lowest of all */
function numbersOf(segment) {
  /** @type {number[]} */
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = digits.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

/** @param {readonly number[]} numbers */
function textOf(numbers) {
  return numbers
    .map((number) => {
      let value = number < 0 ? (-number << 1) | 1 : number << 1;
      let text = "";
      do {
        const rest = value >>> 5;
        text += digits[(value & 31) | (rest > 0 ? 32 : 0)];
        value = rest;
      } while (value > 0);
      return text;
    })
    .join("");
}
