/** The body of a call of any path may be a stream: what it throws is remembered, whatever the transport makes of it. */
import type { BodyStream, HttpRequest } from "../http/transport.js";
import type { Progress } from "./call.js";
import { callbackFailed } from "./callback.js";

/** Gives the request with a stream that tells the call's progress of what it throws. */
export function guardStream(request: HttpRequest, progress: Progress): HttpRequest {
  const { body } = request;
  if (typeof body !== "object" || body instanceof Uint8Array) return request;
  async function* guardedPieces(stream: BodyStream): AsyncIterable<Uint8Array> {
    try {
      yield* stream.open();
    } catch (error) {
      throw (progress.fault ??= callbackFailed("body.open", error));
    }
  }
  return { ...request, body: { ...body, open: () => guardedPieces(body) } };
}
