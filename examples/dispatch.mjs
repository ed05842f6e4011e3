// Dispatches orders for the store that `comanda login` signed in to. ES module.
//   node examples/dispatch.mjs 4711 4712
import { ComandaError, createClient } from "comanda";
import { fileSession } from "comanda/node";

const { clientOptions } = await fileSession();
const client = createClient(clientOptions);
for (const orderId of process.argv.slice(2)) {
  try {
    const { httpStatus } = await client.dispatchOrder(orderId, { signal: AbortSignal.timeout(60_000) });
    console.log(`${orderId}: dispatched (HTTP ${httpStatus})`);
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    // `code` is stable. The message is for people.
    if (error.code === "not_found") console.log(`${orderId}: order not found`);
    else if (error.code === "status_conflict") console.log(`${orderId}: ${error.details}`);
    else if (error.code === "outcome_unknown")
      console.log(`${orderId}: check the order before you try again`);
    else throw error;
  }
}
