/**
 * What goes into a call and what comes out of it, inferred from the schemas: the build writes these types out for the library,
 * each field with its text.
 */
import type * as z from "zod/mini";

import type { Open } from "./values.js";
import type { allOperations } from "./oauth.js";
import type { filterFields, FilterField } from "./filters.js";
import type { orderSchemas, prefilledOrderSchema, salesSchemas } from "./responses.js";
import type { callSchemas, newPrefilledOrderSchema, querySchemas } from "./input.js";

type Orders = ReturnType<typeof orderSchemas>;
type Calls = ReturnType<typeof callSchemas>;
type Sales = ReturnType<typeof salesSchemas>;
type Queries = ReturnType<typeof querySchemas>;

/** It holds items itself, so it has a name in what is written out. Section 2.3. */
export type OrderItem = z.output<Orders["orderItem"]>;
/** An order has these fields. Those that the specification doesn't name are only in the answer's `raw`. Section 2.1. */
export type Order = z.output<Orders["order"]>;
/** An order is read from an answer with every field that came as documented; the others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };
/** A summary sums up the orders of a period. Section 2.8. */
export type Summary = z.output<Sales["summary"]>;
/** A group sums up the orders that have the same value. Section 2.8. */
export type Group = z.output<Sales["group"]>;
/** The orders of a period are summed up by one dimension. Section 4.7, rule 4. */
export type GroupedSummary = z.output<Sales["groupedSummary"]>;
/** The service answers a pre-filled order with its links. Section 2.7. */
export type PrefilledOrder = z.output<ReturnType<typeof prefilledOrderSchema>>;

/** A field that is left out isn't given as `undefined`. */
type Given<Value> = Value extends readonly (infer Member)[]
  ? readonly Given<Member>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Given<Exclude<Value[Field], undefined>> }
    : Value;

/** A driver is assigned with or without a fee. A fee as text goes out with the digits that were typed: `"7.50"`. Section 4.1. */
export type DriverInput = Given<z.input<Calls["typedDriver"]>>;
/** A cancellation may have a reason. Section 4.2. */
export type CancelInput = Given<z.input<Calls["cancelOrder"]>>;

type NewOrder = Given<z.input<ReturnType<typeof newPrefilledOrderSchema>>>;
/** Section 4.9. */
export type PrefilledDelivery = NewOrder & { readonly order_type: "delivery" };
/** Section 4.9. */
export type PrefilledTakeout = Omit<NewOrder, "delivery_address"> & {
  readonly order_type: "takeout";
  readonly delivery_address?: never;
};
/** A pre-filled order takes an address only where it is a delivery. Section 4.9. */
export type PrefilledOrderBody = PrefilledDelivery | PrefilledTakeout;

type Values<Field extends FilterField> = (typeof filterFields)[Field]["values"];
type Value<Field extends FilterField> =
  Values<Field> extends { kind: "closed"; values: readonly (infer Name)[] }
    ? Name
    : Values<Field> extends { kind: "open"; values: readonly (infer Name extends string)[] }
      ? Open<Name>
      : Values<Field> extends { kind: "text" | "time" }
        ? string
        : number | string;
type OneOrMore<Each> = Each | readonly Each[];
type Operators<Field extends FilterField> = (typeof filterFields)[Field]["operators"][number];
type Pair = {
  [Field in FilterField]: { [Operator in Operators<Field>]: [Field, Operator] }[Operators<Field>];
}[FilterField];

/**
 * Filters stand under their names, and all of them must hold, for example
 * `{ status_in: ["closed", "delivered"], total_gteq: "49.90", customer_origin_null: true }`. Ids and amounts are numbers or
 * texts; a text goes out as it is. Section 4.8.
 */
export type Filters = {
  readonly [Each in Pair as `${Each[0]}_${Each[1]}`]?: Each[1] extends "in" | "not_in"
    ? OneOrMore<Value<Each[0]>>
    : Each[1] extends "null" | "not_null"
      ? true
      : Value<Each[0]>;
};
/** The name joins field and operator as the API does, for example `status_in`. Section 4.8. */
export type FilterName = keyof Filters;

type Query = z.input<Queries["summaryQuery"]>;
/** A query asks for the sales figures of a period. Its fields have the names of the API's parameters. Section 4.6. */
export type SummaryQuery = {
  readonly [Field in keyof Query]: Field extends "filters" ? Filters : Exclude<Query[Field], undefined>;
};
type GroupBy = Pick<z.input<Queries["groupedQuery"]>, "group_by">;
/** Section 4.7. */
export type GroupedQuery = SummaryQuery & {
  readonly [Field in keyof GroupBy]: Exclude<GroupBy[Field], "hour">;
};
/** A date has no hour. Section 4.7. */
export type HourlyQuery = Omit<SummaryQuery, "date_field"> & {
  readonly [Field in keyof GroupBy]: "hour";
} & { readonly date_field?: "created_at" };
/** A query asks for the sales figures of a period by one dimension. Section 4.7. */
export type GroupedSummaryQuery = GroupedQuery | HourlyQuery;

/** Section 4 has these operations, the two of OAuth included. */
export type OperationId = keyof typeof allOperations;
