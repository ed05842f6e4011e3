import type { HttpAnswer, HttpRequest, Transport } from "../../../src/client/transport.js";

/** What comes of one request. */
export type Step = Partial<HttpAnswer> | Error;

/** A transport that plays the given answers and failures in turn; it fails a test that asks for more. */
export function scripted(...steps: readonly Step[]) {
  const requests: HttpRequest[] = [];
  const transport: Transport = {
    send: (request) => {
      const step = steps[requests.length];
      requests.push(request);
      if (step === undefined) return Promise.reject(new Error(`request ${requests.length} was not expected`));
      if (step instanceof Error) return Promise.reject(step);
      return Promise.resolve({ status: 200, headers: {}, body: "", ...step });
    },
    close: () => Promise.resolve(),
  };
  return { transport, requests };
}
