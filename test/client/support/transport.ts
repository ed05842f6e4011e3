import { createTransport, type TransportOptions } from "../../../src/client/http.js";
import type { HttpRequest } from "../../../src/client/transport.js";
import { closing } from "../../support/resources.js";

/** A transport that is closed when the test ends. */
export const testTransport = (options: TransportOptions = {}) => closing(createTransport(options));

export const post = (url: string): HttpRequest => ({ method: "POST", url, headers: {} });
export const get = (url: string): HttpRequest => ({ method: "GET", url, headers: {} });
