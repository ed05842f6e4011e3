import { onTestFinished } from "vitest";

import { TransportError, type HttpRequest, type Transport } from "../../../src/client/transport.js";
import { createTransport, type TransportOptions } from "../../../src/client/http.js";

/** A transport that is closed when the test is over. */
export function testTransport(options: TransportOptions = {}): Transport {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

export const post = (url: string): HttpRequest => ({ method: "POST", url, headers: {} });
export const get = (url: string): HttpRequest => ({ method: "GET", url, headers: {} });

/** What a request that must fail failed with. */
export async function failureOf(sending: Promise<unknown>): Promise<TransportError> {
  try {
    await sending;
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  }
  throw new Error("an answer came where none was expected");
}
