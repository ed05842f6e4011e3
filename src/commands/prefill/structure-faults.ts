/** What YAML can say and an order can't: names that are no text, aliases that lead nowhere, in a circle or too far. */
import {
  Alias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { t } from "../../shared/language.js";

export interface Structure {
  readonly faults: readonly StructureFault[];
  /** The node that an alias stands for, or the node itself. */
  resolve(node: unknown): unknown;
}

export interface StructureFault {
  /** In characters. */
  readonly offset: number;
  readonly text: string;
}

/** Values that aliases may add to those that were written: an order repeats little, a short text can ask for millions. */
const mostAdded = 10_000;
/** The library looks through all of them for each one. */
const mostAliases = 1_000;

/** @throws {RangeError} where the levels are more than the engine's stack holds */
export function structureOf(document: Document.Parsed): Structure {
  const faults: StructureFault[] = [];
  const report = (at: unknown, text: string) => {
    faults.push({ offset: startOf(at) ?? 0, text });
  };
  /** The last of each name so far: nodes are visited as they stand in the text. */
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const resolve = (node: unknown) => (node instanceof Alias ? targets.get(node) : node);
  const weights = new Map<Node, number>();
  const open = new Set<Node>();
  let written = 0;
  let aliases = 0;

  /** How many values stand there once every alias is filled in. */
  const weigh = (node: unknown): number => {
    if (node instanceof Alias) return weighAlias(node);
    if (!isScalar(node) && !isCollection(node)) return 0;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    written += 1;
    if (isScalar(node)) return 1;
    open.add(node);
    let weight = 1;
    for (const item of node.items) weight += isMap(node) ? weighPair(item as Pair) : weigh(item);
    open.delete(node);
    weights.set(node, weight);
    return weight;
  };

  const weighAlias = (alias: Alias): number => {
    const { source } = alias;
    const target = anchors.get(source);
    written += 1;
    aliases += 1;
    if (!target) report(alias, t`*${source} stands for nothing: there is no &${source} before it`);
    else if (open.has(target)) report(alias, t`*${source} stands for something that it is a part of`);
    else targets.set(alias, target);
    return target ? (weights.get(target) ?? 1) : 1;
  };

  const weighPair = (pair: Pair): number => {
    if (!isMerge(pair)) {
      weigh(pair.key);
      const key = resolve(pair.key);
      if (isCollection(key))
        report(
          pair.key,
          t`a field's name must be text, not ${isMap(key) ? t`a group of fields` : t`a list`}`,
        );
      else if (!isScalar(key) || key.value === null) {
        if (!(pair.key instanceof Alias)) report(pair.key ?? pair.value, t`a field has no name`);
      }
      return weigh(pair.value);
    }
    const weight = weigh(pair.value);
    const isWrong = (source: unknown) =>
      !isMap(resolve(source)) && (!(source instanceof Alias) || targets.has(source));
    const wrong = mergeSources(pair, resolve).find(isWrong);
    if (wrong !== undefined) report(wrong, t`<< takes a group of fields, or a list of them`);
    return weight;
  };

  const weight = weigh(document.contents);
  if (faults.length === 0 && (aliases > mostAliases || weight - written > mostAdded))
    report(document.contents, t`its aliases repeat too much; write out what they stand for`);
  return { faults, resolve };
}

/** A field of a group: its own first, then what `<<` brings, an earlier source before a later one. */
export function findPair(
  map: YAMLMap,
  name: string,
  { resolve }: Pick<Structure, "resolve">,
): Pair | undefined {
  const own = map.items.findLast((pair) => {
    const key = resolve(pair.key);
    return isScalar(key) && !isMerge(pair) && String(key.value) === name;
  });
  if (own) return own;
  for (const source of map.items.filter(isMerge).flatMap((pair) => mergeSources(pair, resolve))) {
    const merged = resolve(source);
    const found = isMap(merged) ? findPair(merged, name, { resolve }) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A quoted "<<" is a name like any other. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

function mergeSources({ value }: Pair, resolve: (node: unknown) => unknown): readonly unknown[] {
  const sources = resolve(value);
  return isSeq(sources) ? sources.items : [value];
}

export function startOf(node: unknown): number | undefined {
  const range: Node["range"] | undefined =
    isScalar(node) || isCollection(node) || node instanceof Alias ? node.range : undefined;
  return range?.[0];
}
