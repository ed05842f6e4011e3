// @ts-check
/**
 * Keeps every request to the partner API and its answer, as a server of this process saw them, when
 * COMANDA_TEST_EXCHANGES names a folder: one JSON line an exchange. Preloaded into the program under test, since an
 * emulator may be its child, and loaded by the tests, since another one may be theirs.
 */
const { Buffer } = require("node:buffer");
const channels = require("node:diagnostics_channel");
const fs = require("node:fs");
const path = require("node:path");
const process = require("node:process");

/**
 * @typedef {object} RecordedExchange
 * @property {number} pid
 * @property {number} at milliseconds since the epoch
 * @property {number} port of the server
 * @property {string} method
 * @property {string} path with its query
 * @property {Record<string, string>} headers
 * @property {string} body
 * @property {number} status
 * @property {string} answer
 * @property {string} [fault] the kind of the fault that made the answer
 */

/** @type {(text: unknown) => Buffer} */
const bytes = (piece) =>
  typeof piece === "string"
    ? Buffer.from(piece)
    : piece instanceof Uint8Array
      ? Buffer.from(piece)
      : Buffer.alloc(0);

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {(exchange: RecordedExchange) => void} keep
 */
function watch(request, response, keep) {
  if (!request.url?.startsWith("/api/")) return;
  const { localPort: port = 0 } = request.socket;
  /** @type {Buffer[]} */
  const received = [];
  /** @type {Buffer[]} */
  const sent = [];
  // As the parser hands it on, whoever reads it later.
  const push = request.push.bind(request);
  request.push = (piece, encoding) => {
    received.push(bytes(piece));
    return push(piece, encoding);
  };
  for (const name of /** @type {const} */ (["write", "end"])) {
    const original = response[name];
    Object.defineProperty(response, name, {
      /** @param {unknown[]} values */
      value: (...values) => {
        sent.push(bytes(values[0]));
        /** @type {unknown} */
        const returned = Reflect.apply(original, response, values);
        return returned;
      },
    });
  }
  // An answer that was cut off is none.
  response.on("finish", () => {
    const fault = response.getHeader("x-emulator-fault");
    keep({
      ...{ pid: process.pid, at: Date.now(), port, method: request.method ?? "", path: request.url ?? "" },
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(received).toString("utf8"),
      status: response.statusCode,
      answer: Buffer.concat(sent).toString("utf8"),
      ...(fault !== undefined && { fault: String(fault) }),
    });
  });
}

channels.subscribe("http.server.request.start", (message) => {
  const folder = process.env["COMANDA_TEST_EXCHANGES"];
  if (!folder) return;
  const file = path.join(folder, `${process.pid}.jsonl`);
  const { request, response } =
    /** @type {{ request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse }} */ (
      message
    );
  watch(request, response, (exchange) => fs.appendFileSync(file, `${JSON.stringify(exchange)}\n`));
});
