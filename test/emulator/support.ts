/** Creates emulators without a port, whose clock only tests advance, and sends requests. */
import { request } from "node:http";

import type { Order } from "../../src/api/models.js";
import { createApp } from "../../src/emulator/http/app.js";
import type { NewOrder } from "../../src/emulator/inputs.js";
import { createService, type ServiceOptions } from "../../src/emulator/service.js";

export const start = Date.UTC(2026, 10, 20, 18);
export const someStore = 501;
export const otherStore = 502;
/** Driver of {@link someStore}. */
export const someDriver = 11;

/** Order with the fields that the API doesn't show. */
interface OrderView extends Order {
  readonly _emulator: {
    readonly in_delivery_route: boolean;
    readonly payment_method_ids: readonly number[];
  };
}

export type TestEmulator = ReturnType<typeof createTestEmulator>;

export function createTestEmulator(options: ServiceOptions = {}) {
  let now = start;
  const service = createService({ orders: 0, now: { now: () => now }, ...options });
  const app = createApp(service);
  const json = async (path: string, init?: RequestInit): Promise<OrderView> => {
    const response = await app.request(path, init);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return JSON.parse(await response.text()) as OrderView;
  };
  return {
    ...app,
    service,
    /** Installs an app at the store and returns its token. */
    accessToken: (storeId = someStore, clientId?: string) =>
      service.server.install(storeId, clientId).access_token,
    apiKey: (storeId = someStore) => service.world.stores.get(storeId)?.apiKey ?? "",
    /** Creates an order through the control API. */
    order: (fields: NewOrder = {}) => json("/_emulator/orders", sending("POST", fields)),
    /** Returns the order's current state. */
    look: (id: number) => json(`/_emulator/orders/${id}`),
    advance: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
}

/** Returns the options of a request with a JSON body. */
export function sending(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Returns the status and the parsed body. */
export async function answerOf(
  response: Response | Promise<Response>,
): Promise<{ status: number; body: unknown }> {
  const answer = await response;
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
}

export interface Outcome {
  status?: number;
  headers?: NodeJS.Dict<string | string[]>;
  body?: string;
  error?: string;
}

/** Sends a request on a new connection and returns its answer or error. Its timeout is in milliseconds. */
export function send(
  url: string,
  method: string,
  { body = "", chunked = false, headers = {}, timeout = 0 } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const length = String(Buffer.byteLength(body));
    const framing = chunked ? { "transfer-encoding": "chunked" } : { "content-length": length };
    const call = request(url, { method, headers: { ...framing, ...headers }, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      const got = { status: answer.statusCode ?? 0, headers: answer.headers };
      answer.on("end", () => resolve({ ...got, body: text }));
      answer.on("error", (error) => resolve({ ...got, body: text, error: String(error) }));
    });
    call.on("error", (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }));
    call.setTimeout(timeout, () => call.destroy(new Error("gave up")));
    if (chunked && body !== "") call.write(body.slice(0, 1));
    call.end(chunked ? body.slice(1) : body);
  });
}
