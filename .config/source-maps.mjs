// @ts-check
/** Source maps of the library: of our own lines alone, named by their place in the repository. */
import path from "node:path";

import { decode, encode } from "@jridgewell/sourcemap-codec";

/** @typedef {import("@jridgewell/sourcemap-codec").SourceMapSegment} Segment */
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
  const mappings = decode(map.mappings).map((segments, index) => {
    const line = lines[index] ?? "";
    let lastSpot = "";
    /** @type {Segment[]} */
    const own = [];
    for (const [at, segment] of segments.entries()) {
      const [start, source = -1, sourceLine = 0, , name] = segment;
      const place = places[source] ?? "node_modules";
      if (place.startsWith("node_modules")) {
        if (lastSpot !== "") own.push([start]);
        lastSpot = "";
        continue;
      }
      const spot = `${place}:${sourceLine}`;
      const isFunction = name !== undefined && isNameOfFunction(line, start);
      const text = line.slice(start, segments[at + 1]?.[0]);
      if (!isFunction && (spot === lastSpot || !mayThrow.test(text))) continue;
      lastSpot = spot;
      const sourceIndex = indexIn(sources, place);
      if (isFunction) own.push([start, sourceIndex, sourceLine, 0, indexIn(names, map.names[name] ?? "")]);
      else own.push([start, sourceIndex, sourceLine, 0]);
    }
    return own;
  });
  const shown = sources.map((source) => path.posix.join("../..", source));
  return { version: 3, sources: shown, names, mappings: encode(mappings) };
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
