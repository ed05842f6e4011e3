/**
 * Ids and quantities that the specification doesn't forbid and nobody means: it shows neither which of them are required
 * nor a least value. The service decides; a person is told.
 */
import type { FieldPath } from "./fault.js";
import { t } from "../../shared/language.js";

export interface UnlikelyNumber {
  readonly path: FieldPath;
  readonly text: string;
}

/** What each member of these lists, and the `item` of a combo step, is known by. */
const idOf: ReadonlyMap<string, string> = new Map([
  ["cart", "item_id"],
  ["item", "item_id"],
  ["option_groups", "option_group_id"],
  ["options", "option_id"],
  ["combo_steps", "combo_step_id"],
]);

/** @param name of the field that the value stands in, or of the list that it is a member of */
export function unlikelyNumbers(value: unknown, path: FieldPath = [], name = ""): UnlikelyNumber[] {
  if (Array.isArray(value))
    return value.flatMap((member, index) => unlikelyNumbers(member, [...path, index], name));
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const id = idOf.get(name);
  const numbers = id === undefined ? [] : fields.has("quantity") ? [id, "quantity"] : [id];
  return [
    ...numbers.flatMap((field) => judge(fields.get(field), [...path, field])),
    ...[...fields].flatMap(([field, member]) => unlikelyNumbers(member, [...path, field], field)),
  ];
}

function judge(number: unknown, path: FieldPath): UnlikelyNumber[] {
  if (number === undefined)
    return [{ path, text: t`is missing; what it stands for is left to the service.` }];
  return typeof number === "number" && number < 1
    ? [{ path, text: t`is ${number}; it is passed on as it is.` }]
    : [];
}
