/** What `--fields` takes of a result, and in which order. */
import { isObject } from "../shared/json.js";

import type { Column, Fields } from "./column.js";

/**
 * The columns of these names, in this order; a column has its name in CSV. A name that no column has is told and left
 * out: what was done can't be undone for want of a column.
 */
export function selectColumns<Row>(
  columns: readonly Column<Row>[],
  { names, missing, nothing }: Fields,
): readonly Column<Row>[] {
  const known = columns.map(nameOf);
  const selected = names.flatMap((name) => {
    const column = columns[known.indexOf(name)];
    if (column === undefined) missing(name, known);
    return column ?? [];
  });
  if (selected.length === 0) nothing();
  return selected;
}

function nameOf({ name, heading }: Pick<Column<never>, "name" | "heading">): string {
  return name ?? heading.toLowerCase().replaceAll(" ", "_");
}

/**
 * An object with these members alone, in this order; of an array, of each of its objects. A path with dots, such as
 * `total.total_revenue`, reaches into an object. A member that isn't there is told, and null.
 */
export function selectMembers(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => selectMembers(entry, fields));
  if (!isObject(value)) return value;
  if (!fields.names.some((name) => Object.hasOwn(value, name.split(".")[0] ?? ""))) fields.nothing();
  return Object.fromEntries(fields.names.map((name) => [name, memberAt(value, name, fields)]));
}

function memberAt(value: Readonly<Record<string, unknown>>, name: string, { missing }: Fields): unknown {
  let member: unknown = value;
  for (const part of name.split(".")) {
    if (!isObject(member) || !Object.hasOwn(member, part)) {
      missing(name, Object.keys(value));
      return null;
    }
    member = member[part];
  }
  return member;
}
