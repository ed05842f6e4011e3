// Assigns a driver to an order, and calls an operation that the specification names but doesn't show. TypeScript.
import {
  ComandaError,
  createClient,
  createMemoryRateLimiter,
  request,
  type Client,
  type ErrorCode,
  type ReadOrder,
  type Result,
} from "comanda";

const { COMANDA_BASE_URL: baseUrl = "", COMANDA_ACCESS_TOKEN: token = "" } = process.env;

const client: Client = createClient({
  baseUrl,
  credentials: { bearer: () => Promise.resolve(token) },
  // All of these are optional.
  fetch,
  rateLimiter: createMemoryRateLimiter(),
  maxRetries: 1,
  timeoutMs: 10_000,
  onWait: ({ reason, ms }) => console.error(`waiting ${ms} ms: ${reason}`),
});

const [orderId = "", driverId = "0"] = process.argv.slice(2);
const { value: order, raw }: Result<ReadOrder> = await client.assignDriver(orderId, {
  driver_id: Number(driverId),
  driver_fee: "7.50",
});
console.log(
  `order ${order.id ?? orderId}: driver ${order.driver_id ?? "none"}, fee ${order.driver_fee ?? "not stated"}`,
);
console.log(`${Object.keys(JSON.parse(raw) as object).length} fields`);

try {
  const { raw: history } = await request(client, { method: "GET", path: "/api/partner/v1/orders/history" });
  console.log(history.length);
} catch (error) {
  if (!(error instanceof ComandaError)) throw error;
  const code: ErrorCode = error.code;
  console.log(`history: ${code}`);
}
