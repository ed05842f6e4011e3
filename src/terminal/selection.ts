/** Selects the members or columns that `--fields` names, in its order. */
import { isObject } from "../shared/json.js";

import type { Column, Fields } from "./column.js";

/**
 * Columns are named as in CSV. An unknown name is told and left out: the command's work can't be undone for want of a
 * column.
 */
export function selectColumns<Row>(
  columns: readonly Column<Row>[],
  { names, onUnknown, onNoMatch }: Fields,
): readonly Column<Row>[] {
  const columnNames = columns.map(nameOf);
  const selected = names.flatMap((name) => {
    const column = columns[columnNames.indexOf(name)];
    if (column === undefined) onUnknown(name, columnNames);
    return column ?? [];
  });
  if (selected.length === 0) onNoMatch();
  return selected;
}

function nameOf({ name, heading }: Pick<Column<never>, "name" | "heading">): string {
  return name ?? heading.toLowerCase().replaceAll(" ", "_");
}

/**
 * Gives an object with these members alone, and an array of such objects for an array. A path with dots, such as
 * `total.total_revenue`, reaches into an object. A missing member is told, and null.
 */
export function selectMembers(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => selectMembers(entry, fields));
  if (!isObject(value)) return value;
  if (!fields.names.some((name) => Object.hasOwn(value, name.split(".")[0] ?? ""))) fields.onNoMatch();
  return Object.fromEntries(fields.names.map((name) => [name, memberAt(value, name, fields)]));
}

function memberAt(value: Readonly<Record<string, unknown>>, name: string, { onUnknown }: Fields): unknown {
  let member: unknown = value;
  for (const part of name.split(".")) {
    if (!isObject(member) || !Object.hasOwn(member, part)) {
      onUnknown(name, Object.keys(value));
      return null;
    }
    member = member[part];
  }
  return member;
}
