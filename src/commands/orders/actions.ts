/** What is done to an order: its status is changed, or `assign` gives it a driver. */

/** Each with its operation's id in the contract, and with the word for an order to which it was done. */
export const orderActions = {
  dispatch: { operation: "dispatchOrder", done: "dispatched" },
  deliver: { operation: "deliverOrder", done: "delivered" },
  finalize: { operation: "finalizeOrder", done: "finalized" },
  cancel: { operation: "cancelOrder", done: "canceled" },
  assign: { operation: "assignDriver", done: "assigned" },
} as const;

export type OrderAction = keyof typeof orderActions;
