// Dispatches orders at the store that `comanda login` signed in at. ES module.
//   node examples/dispatch.mjs 4711 4712
import { ComandaError, createClient } from "comanda";
import { fileSession } from "comanda/node";

const { clientOptions } = await fileSession();
const client = createClient(clientOptions);
for (const orderId of process.argv.slice(2)) {
  try {
    const { httpStatus } = await client.dispatchOrder(orderId, { signal: AbortSignal.timeout(60_000) });
    console.log(`${orderId} is on its way (HTTP ${httpStatus})`);
  } catch (error) {
    if (!(error instanceof ComandaError)) throw error;
    // `code` is stable; the message is for people.
    if (error.code === "not_found") console.log(`${orderId}: there is no such order`);
    else if (error.code === "status_conflict") console.log(`${orderId}: ${error.details}`);
    else if (error.code === "outcome_unknown") console.log(`${orderId}: look at it before you repeat this`);
    else throw error;
  }
}
