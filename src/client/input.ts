/** What each operation takes, and what of it goes into path, query and body. All checked against the contract. */
import { assignDriverBodySchema } from "../contract/driver.js";
import { parseAmount } from "../contract/money.js";
import { operations } from "../contract/operations.js";
import { prefilledOrderBodySchema, type PrefilledOrderBody } from "../contract/prefilled-order.js";
import { checkInput, invalidInput, toJson } from "./check-input.js";
import {
  groupedSummaryParameters,
  summaryParameters,
  type GroupedSummaryQuery,
  type QueryParameters,
  type SummaryQuery,
} from "./query.js";

export interface OrderInput {
  /** Opaque: encoded as one segment of the path. */
  readonly orderId: string;
}

export interface CancelOrderInput extends OrderInput {
  /** Stored with the order as `cancellation_reason`. */
  readonly reason?: string;
}

export interface AssignDriverInput extends OrderInput {
  /** At least 1. */
  readonly driverId: number;
  /**
   * Absent: the current fee is kept. `null`: it is removed. 0: a delivery at no cost. As text it goes out with
   * the digits that were typed, for example `"7.50"`.
   */
  readonly driverFee?: number | string | null;
}

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

const builders: { readonly [Id in CallableOperation]: (input: OperationInputs[Id]) => RequestParts } = {
  dispatchOrder: ({ orderId }) => ({ orderId }),
  deliverOrder: ({ orderId }) => ({ orderId }),
  finalizeOrder: ({ orderId }) => ({ orderId }),
  cancelOrder: ({ orderId, reason }) => {
    if (reason === undefined) return { orderId };
    const body = { cancellation_reason: reason };
    checkInput(operations.cancelOrder.body.schema, body);
    return { orderId, body: JSON.stringify(body) };
  },
  assignDriver: ({ orderId, driverId, driverFee }) => ({ orderId, body: driverBody(driverId, driverFee) }),
  summary: (query) => ({ query: summaryParameters(query) }),
  groupedSummary: (query) => ({ query: groupedSummaryParameters(query) }),
  createPrefilledOrder: (order) => {
    checkInput(prefilledOrderBodySchema, order);
    return { body: toJson("The order", order) };
  },
};

/** @throws {ComandaError} `invalid_input` */
export function requestParts<Id extends CallableOperation>(id: Id, input: OperationInputs[Id]): RequestParts {
  return builders[id](input);
}

/** Written by hand, since `JSON.stringify` would turn a typed 7.50 into 7.5. */
function driverBody(driverId: number, driverFee: number | string | null | undefined): string {
  const typed = typeof driverFee === "string";
  if (typed && parseAmount(driverFee) === undefined)
    throw invalidInput(
      "driver_fee must be an amount of at least 0 with at most two decimals.",
      "Write it with a point, for example 7.50.",
    );
  const fee = typed ? Number(driverFee) : driverFee;
  checkInput(assignDriverBodySchema, {
    driver_id: driverId,
    ...(fee === undefined ? {} : { driver_fee: fee }),
  });
  if (fee === undefined) return `{"driver_id":${driverId}}`;
  // A JSON number has no leading zeros (RFC 8259, section 6).
  const text = typed ? driverFee.replace(/^0+(?=\d)/, "") : JSON.stringify(fee);
  return `{"driver_id":${driverId},"driver_fee":${text}}`;
}
