/** Types of inputs and results, inferred from the schemas. The build writes them out for the library, with the text of each field. */
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

/** An item may contain items, so its type has a name. Section 2.3. */
export type OrderItem = z.output<Orders["orderItem"]>;
/** An order. Fields that the specification doesn't name are only in the result's `raw`. Section 2.1. */
export type Order = z.output<Orders["order"]>;
/** An order with every field of the response that is valid; others are absent. */
export type ReadOrder = { [Field in keyof Order]?: Order[Field] };
/** The sum of a period's orders. Section 2.8. */
export type Summary = z.output<Sales["summary"]>;
/** The sum of the orders that have the same value. Section 2.8. */
export type Group = z.output<Sales["group"]>;
/** The sums of a period's orders, grouped by one dimension. Section 4.7, rule 4. */
export type GroupedSummary = z.output<Sales["groupedSummary"]>;
/** A pre-filled order's links. Section 2.7. */
export type PrefilledOrder = z.output<ReturnType<typeof prefilledOrderSchema>>;

type Given<Value> = Value extends readonly (infer Member)[]
  ? readonly Given<Member>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Given<Value[Field]> }
    : Value;

/** A driver with an optional fee. The digits of a fee as text are sent unchanged: `"7.50"`. Section 4.1. */
export type DriverInput = Given<z.input<Calls["typedDriver"]>>;
/** A cancellation with an optional reason. Section 4.2. */
export type CancelInput = Given<z.input<Calls["cancelOrder"]>>;

type NewOrder = Given<z.input<ReturnType<typeof newPrefilledOrderSchema>>>;
/** Section 4.9. */
export type PrefilledDelivery = NewOrder & { readonly order_type: "delivery" };
/** Section 4.9. */
export type PrefilledTakeout = Omit<NewOrder, "delivery_address"> & {
  readonly order_type: "takeout";
  readonly delivery_address?: undefined;
};
/** A pre-filled order. Only a delivery has an address. Section 4.9. */
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
 * Filters by their names. All must match, for example
 * `{ status_in: ["closed", "delivered"], total_gteq: "49.90", customer_origin_null: true }`. Ids and amounts are numbers or
 * strings, which are sent unchanged. Section 4.8.
 */
export type Filters = {
  readonly [Each in Pair as `${Each[0]}_${Each[1]}`]?: Each[1] extends "in" | "not_in"
    ? OneOrMore<Value<Each[0]>> | undefined
    : Each[1] extends "null" | "not_null"
      ? true | undefined
      : Value<Each[0]> | undefined;
};
/** Field and operator, joined as in the API, for example `status_in`. Section 4.8. */
export type FilterName = keyof Filters;

type Query = z.input<Queries["summaryQuery"]>;
/** A query for the sales figures of a period, with the API's parameter names. Section 4.6. */
export type SummaryQuery = {
  readonly [Field in keyof Query]: Field extends "filters" ? Filters | undefined : Query[Field];
};
type GroupBy = Pick<z.input<Queries["groupedQuery"]>, "group_by">;
/** A query for sales figures that are grouped by anything except the hour. Section 4.7. */
export type GroupedQuery = SummaryQuery & {
  readonly [Field in keyof GroupBy]: Exclude<GroupBy[Field], "hour">;
};
/** A query for sales figures by hour. `date_field` can't be `scheduled_date`, because a date has no hour. Section 4.7. */
export type HourlyQuery = Omit<SummaryQuery, "date_field"> & {
  readonly [Field in keyof GroupBy]: "hour";
} & { readonly date_field?: "created_at" | undefined };
/** A query for the sales figures of a period, grouped by one dimension. Section 4.7. */
export type GroupedSummaryQuery = GroupedQuery | HourlyQuery;

/** The operations of section 4, with the two of OAuth. */
export type OperationId = keyof typeof allOperations;
