/**
 * Replaces modules in the build that comanda never uses. It uses only HTTP/1.1, but undici's client and Hono's server import these names
 * of Node's HTTP/2 when they load, which takes 7 % of a call's time. Its bodies are texts and buffers, but undici's client would load a
 * part of `fetch` for forms and streams, which is a twelfth of the code of a call.
 */
export const constants = {};

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- no request is an instance of it
export class Http2ServerRequest {}
