/** A bare node:http server, which answers every POST with 204 and every GET with figures. */
import { createServer } from "node:http";

const metrics = { total_order_count: 3, total_revenue: 91.5, average_order_value: 30.5 };

/** Returns one group for each day of six months, with the service's keys. */
function daysFrom(start: string): object {
  const groups = Array.from({ length: 180 }, (_, day) => {
    const key = new Date(Date.parse(start.slice(0, 10)) + day * 86_400_000).toISOString().slice(0, 10);
    return { key, label: key, ...metrics };
  });
  return { group_by: "day", groups };
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  if (request.method !== "GET") {
    response.writeHead(204).end();
    return;
  }
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  response.writeHead(200, { "content-type": "application/json" });
  const start = searchParams.get("start_date") ?? "2026-01-01";
  response.end(JSON.stringify(pathname.endsWith("/grouped") ? daysFrom(start) : metrics));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port ?? 0}` }));
});
