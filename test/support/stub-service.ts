/** A test's own service, which records requests and returns configured responses. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

import { afterwards, listening, stopServer } from "./resources.js";

export interface StubAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response, or a function that does something else with the connection. */
export type Behaviour = StubAnswer | ((response: ServerResponse) => void);

/** An HTML page, as a proxy returns it. */
export const page = (status: number): StubAnswer => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<html><h1>No</h1></html>",
});

/** The API's error body (section 7). */
export const ofTheApi = (status: number, code: number): StubAnswer => {
  return { status, body: JSON.stringify({ code, message: "No" }) };
};

export async function startStub() {
  let behaviour: Behaviour = { status: 204 };
  /** The target is the path with its query, as sent. */
  const requests: { method: string; target: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: target = "", headers } = request;
      requests.push({ method, target, headers, body: Buffer.concat(chunks).toString("utf8") });
      if (typeof behaviour === "function") behaviour(response);
      else response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body);
    });
  });
  const port = await listening(server);
  afterwards(() => stopServer(server));
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Sets the response to every further request, and empties the record. */
    behave: (next: Behaviour) => {
      behaviour = next;
      requests.length = 0;
    },
  };
}
