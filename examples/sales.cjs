// Prints yesterday's sales by channel. CommonJS. Reads the address and the token from the environment, and nothing from disk.
//   COMANDA_BASE_URL=… COMANDA_ACCESS_TOKEN=… node examples/sales.cjs
const { createClient } = require("comanda");

const day = 86_400_000;
const midnight = Math.floor(Date.now() / day) * day;

async function main() {
  const client = createClient({
    baseUrl: process.env.COMANDA_BASE_URL ?? "",
    credentials: { bearer: async () => process.env.COMANDA_ACCESS_TOKEN },
    maxWaitMs: 0, // Fails instead of waiting for the rate limit.
  });
  const { value: groupedSummary } = await client.groupedSummary({
    start_date: new Date(midnight - day).toISOString(),
    end_date: new Date(midnight - 1).toISOString(),
    group_by: "sales_channel",
    filters: { status_not_in: "canceled" },
  });
  for (const { label, total_order_count: orders, total_revenue: revenue } of groupedSummary.groups) {
    console.log(`${label}: orders ${orders}, revenue ${revenue.toFixed(2)}`);
  }
  console.log(`Channels: ${groupedSummary.groups.length}`);
}

main().catch((error) => {
  console.error(error.message, error.hint ?? "");
  process.exitCode = error.exitCode ?? 1;
});
