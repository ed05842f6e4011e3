// A worker with only fetch and none of Node's modules. The screen in the kitchen calls it once an order is ready.
import { ComandaError, createClient } from "comanda";

export interface Env {
  readonly BASE_URL: string;
  readonly ACCESS_TOKEN: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const order = /^\/ready\/(\w+)$/.exec(new URL(request.url).pathname)?.[1];
    if (request.method !== "POST" || order === undefined)
      return new Response("No such page.", { status: 404 });
    const client = createClient({
      baseUrl: env.BASE_URL,
      credentials: { bearer: () => Promise.resolve(env.ACCESS_TOKEN) },
      // A worker handles one request, so a limiter in the worker would count nothing.
      rateLimiter: false,
      timeoutMs: 5_000,
    });
    try {
      const { attempts } = await client.dispatchOrder(order);
      return Response.json({ order, outcome: "done", attempts });
    } catch (error) {
      if (!(error instanceof ComandaError)) throw error;
      // If the outcome is "unknown", a person has to check the order.
      return Response.json({ order, outcome: error.outcome, code: error.code }, { status: 502 });
    }
  },
};
