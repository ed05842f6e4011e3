// @ts-check
/** Source maps of the library: of our own lines alone, named by their place in the repository. */
import path from "node:path";

/** @typedef {{ readonly version: 3, readonly sources: readonly string[], readonly names: readonly string[], readonly mappings: string }} SourceMap */

/**
 * A map is for stacks, which name functions and lines. Half of what esbuild maps are zod's lines, which nobody looks for:
 * they are left out. So are columns, a second place of one line, all code at which no stack can stand, and the names of what is
 * no function: three fifths of the rest.
 *
 * @param {SourceMap} map
 * @param {{ readonly folder: string, readonly root: string, readonly code: string }} place the folder that the map was made in,
 *   the repository, and the code that the map is of
 * @returns {SourceMap}
 */
export function ownSourceMap(map, { folder, root, code }) {
  const lines = code.split("\n");
  const places = map.sources.map((source) => path.relative(root, path.resolve(folder, source)));
  /** @type {string[]} */
  const sources = [];
  /** @type {string[]} */
  const names = [];
  let [source, line, name] = [0, 0, 0];
  const last = { source: 0, line: 0, name: 0 };
  const mappings = map.mappings.split(";").map((segments, index) => {
    let [generated, lastGenerated] = [0, 0];
    let lastSpot = "";
    const spots = segments
      .split(",")
      .filter((segment) => segment !== "")
      .map((segment) => {
        const [byGenerated = 0, bySource, byLine = 0, , byName] = numbersOf(segment);
        generated += byGenerated;
        source += bySource ?? 0;
        line += byLine;
        name += byName ?? 0;
        const place = places[source] ?? "";
        const isForeign = bySource === undefined || place.startsWith("node_modules");
        return {
          generated,
          line,
          place: isForeign ? "" : place,
          name: byName === undefined ? undefined : name,
        };
      });
    return spots
      .flatMap((spot, at) => {
        const text = lines[index]?.slice(spot.generated, spots[at + 1]?.generated) ?? "";
        const isFunction =
          spot.place !== "" &&
          spot.name !== undefined &&
          isNameOfFunction(lines[index] ?? "", spot.generated);
        const key = spot.place && `${spot.place}:${spot.line}`;
        if (!isFunction && (key === lastSpot || (key !== "" && !mayThrow.test(text)))) return [];
        lastSpot = key;
        const numbers = [spot.generated - lastGenerated];
        lastGenerated = spot.generated;
        if (key === "") return [textOf(numbers)];
        const next = { source: indexIn(sources, spot.place), line: spot.line };
        numbers.push(next.source - last.source, next.line - last.line, 0);
        Object.assign(last, next);
        if (!isFunction || spot.name === undefined) return [textOf(numbers)];
        const nameIndex = indexIn(names, map.names[spot.name] ?? "");
        numbers.push(nameIndex - last.name);
        last.name = nameIndex;
        return [textOf(numbers)];
      })
      .join(",");
  });
  const shown = sources.map((own) => path.posix.join("../..", own));
  return { version: 3, sources: shown, names, mappings: mappings.join(";") };
}

/** What has none of these calls nothing and fails at nothing. */
const mayThrow = /[(.[`]|\b(?:throw|await|yield|in|of)\b/;

/**
 * Does a function's name stand there, where it is declared or called?
 *
 * @param {string} text
 * @param {number} start
 */
function isNameOfFunction(text, start) {
  functionName.lastIndex = start;
  return functionName.test(text);
}

const functionName = /[\w$]+(?:\(|=(?:async\b)?[\w$]*(?:\(|=>))/y;

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
