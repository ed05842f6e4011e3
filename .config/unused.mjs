/**
 * Replaces modules in the build that a package imports when it loads, but that comanda never uses. undici's client and Hono's server
 * import HTTP/2, and comanda sends only HTTP/1.1. undici imports Node's own client for a type check and a default, and a part of
 * `fetch` for forms and streams, but comanda's bodies are texts and buffers. commander imports child processes for commands in
 * separate files.
 */
export const constants = {};

/* eslint-disable @typescript-eslint/no-extraneous-class -- no request is an instance of these */
export class Http2ServerRequest {}
export class IncomingMessage {}
