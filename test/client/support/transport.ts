import { onTestFinished } from "vitest";

import type { HttpRequest, Transport } from "../../../src/client/transport.js";
import { createTransport, type TransportOptions } from "../../../src/client/http.js";

/** A transport that is closed when the test ends. */
export function testTransport(options: TransportOptions = {}): Transport {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

export const post = (url: string): HttpRequest => ({ method: "POST", url, headers: {} });
export const get = (url: string): HttpRequest => ({ method: "GET", url, headers: {} });
