/** What each operation takes, and what of it goes into path, query and body. All checked against the contract. */
import { assignDriverBodySchema } from "../contract/driver.js";
import { isAmount } from "../contract/money.js";
import { operations } from "../contract/operations.js";
import { prefilledOrderBodySchema, type PrefilledOrderBody } from "../contract/prefilled-order.js";
import { checkInput, checkNames, fromInput, invalidInput, toJson } from "./check-input.js";
import { isObject } from "../shared/json.js";
import {
  groupedSummaryParameters,
  summaryParameters,
  type GroupedSummaryQuery,
  type QueryParameters,
  type SummaryQuery,
} from "./query.js";

/** Fields have the names of the specification. */
export interface OrderInput {
  /** Opaque: encoded as one segment of the path. */
  readonly order_id: string;
}

export interface CancelInput {
  /** Stored with the order. */
  readonly cancellation_reason?: string;
}

export interface DriverInput {
  /** At least 1. */
  readonly driver_id: number;
  /**
   * Absent: the current fee is kept. `null`: it is removed. 0: a delivery at no cost. As text it goes out with
   * the digits that were typed, for example `"7.50"`.
   */
  readonly driver_fee?: number | string | null;
}

export interface CancelOrderInput extends OrderInput, CancelInput {}
export interface AssignDriverInput extends OrderInput, DriverInput {}

export interface OperationInputs {
  readonly dispatchOrder: OrderInput;
  readonly deliverOrder: OrderInput;
  readonly finalizeOrder: OrderInput;
  readonly cancelOrder: CancelOrderInput;
  readonly assignDriver: AssignDriverInput;
  readonly summary: SummaryQuery;
  readonly groupedSummary: GroupedSummaryQuery;
  readonly createPrefilledOrder: PrefilledOrderBody;
}

/** The operations that the client calls; the two of OAuth belong to the sign-in. */
export type CallableOperation = keyof OperationInputs;

/** What one call adds to what the contract says of its operation. */
export interface RequestParts {
  readonly orderId?: string;
  readonly query?: QueryParameters;
  /** JSON. */
  readonly body?: string;
}

/** What goes with an order's id, by the names of the contract. */
const fieldsBesideId = {
  cancelOrder: Object.keys(operations.cancelOrder.body.schema.shape),
  assignDriver: Object.keys(assignDriverBodySchema.shape),
} as const;

function orderId(input: OrderInput, others: readonly string[] = []): string {
  checkNames("The input", input, ["order_id", ...others]);
  return input.order_id;
}

const builders: { readonly [Id in CallableOperation]: (input: OperationInputs[Id]) => RequestParts } = {
  dispatchOrder: (input) => ({ orderId: orderId(input) }),
  deliverOrder: (input) => ({ orderId: orderId(input) }),
  finalizeOrder: (input) => ({ orderId: orderId(input) }),
  cancelOrder: (input) => {
    const parts = { orderId: orderId(input, fieldsBesideId.cancelOrder) };
    const { cancellation_reason } = input;
    if (cancellation_reason === undefined) return parts;
    const body = checkInput(operations.cancelOrder.body.schema, { cancellation_reason });
    return { ...parts, body: JSON.stringify(body) };
  },
  assignDriver: (input) => {
    const parts = { orderId: orderId(input, fieldsBesideId.assignDriver) };
    return { ...parts, body: driverBody(input) };
  },
  summary: (query) => ({ query: summaryParameters(query) }),
  groupedSummary: (query) => ({ query: groupedSummaryParameters(query) }),
  createPrefilledOrder: (order) => {
    checkInput(prefilledOrderBodySchema, order);
    return { body: toJson("The order", order) };
  },
};

/** @throws {ComandaError} `invalid_input` */
export function cancelOrderInput(orderId: string, input: CancelInput): CancelOrderInput {
  return fromInput(() => {
    checkBesideId(input, fieldsBesideId.cancelOrder);
    const { cancellation_reason } = input;
    return { order_id: orderId, ...(cancellation_reason === undefined ? {} : { cancellation_reason }) };
  });
}

/** @throws {ComandaError} `invalid_input` */
export function assignDriverInput(orderId: string, input: DriverInput): AssignDriverInput {
  return fromInput(() => {
    checkBesideId(input, fieldsBesideId.assignDriver);
    // Field by field: a spread would leave out the getters of a class.
    const { driver_id, driver_fee } = input;
    return { order_id: orderId, driver_id, ...(driver_fee === undefined ? {} : { driver_fee }) };
  });
}

function checkBesideId(input: unknown, fields: readonly string[]): void {
  if (!isObject(input)) throw invalidInput("What goes with the order id must be an object.");
  checkNames("The input", input, fields);
}

/** @throws {ComandaError} `invalid_input` */
export function requestParts<Id extends CallableOperation>(id: Id, input: OperationInputs[Id]): RequestParts {
  return builders[id](input);
}

/** Written by hand, since `JSON.stringify` would turn a typed 7.50 into 7.5. */
function driverBody({ driver_id, driver_fee }: DriverInput): string {
  const typed = typeof driver_fee === "string";
  if (typed && !isAmount(driver_fee))
    throw invalidInput(
      "driver_fee must be an amount of at least 0 with at most two decimals.",
      "Write it with a point, for example 7.50.",
    );
  const fee = typed ? Number(driver_fee) : driver_fee;
  checkInput(assignDriverBodySchema, { driver_id, ...(fee === undefined ? {} : { driver_fee: fee }) });
  if (fee === undefined) return `{"driver_id":${driver_id}}`;
  // A JSON number has no leading zeros (RFC 8259, section 6).
  const text = typed ? driver_fee.replace(/^0+(?=\d)/, "") : JSON.stringify(fee);
  return `{"driver_id":${driver_id},"driver_fee":${text}}`;
}
