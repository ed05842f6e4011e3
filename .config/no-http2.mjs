/**
 * Replaces `node:http2` and undici's HTTP/2 client in the build. comanda uses only HTTP/1.1, but undici's client and Hono's server import
 * these names when they load, and loading Node's HTTP/2 takes 7 % of a call's time.
 */
export const constants = {};

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- no request is an instance of it
export class Http2ServerRequest {}
