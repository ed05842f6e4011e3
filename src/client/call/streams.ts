/** The streams of a call of any path: what they throw is remembered, whatever the transport makes of it. */
import { isSuccess, type BodySink, type BodyStream, type HttpRequest } from "../http/transport.js";
import type { Progress } from "./call.js";
import { callbackFailed } from "./callback.js";

/** Gives the request with streams that tell the call's progress of what they throw, and of an answer that is handed on. */
export function guardStreams(request: HttpRequest, progress: Progress): HttpRequest {
  const { body, onAnswer } = request;
  const fault = (name: string, thrown: unknown): Error => (progress.fault ??= callbackFailed(name, thrown));

  async function* guardedPieces(stream: BodyStream): AsyncIterable<Uint8Array> {
    try {
      yield* stream.open();
    } catch (error) {
      throw fault("body.open", error);
    }
  }

  const guardedAnswer: HttpRequest["onAnswer"] = (head) => {
    // Another answer than a 2xx may be followed by a better one.
    if (!isSuccess(head)) return undefined;
    let sink: BodySink | undefined;
    try {
      sink = onAnswer?.(head);
    } catch (error) {
      throw fault("onAnswer", error);
    }
    if (!sink) return undefined;
    progress.delivered = true;
    return async (piece) => {
      try {
        await sink(piece);
      } catch (error) {
        throw fault("that onAnswer returned", error);
      }
    };
  };

  return {
    ...request,
    ...(isStream(body) && { body: { ...body, open: () => guardedPieces(body) } }),
    ...(onAnswer && { onAnswer: guardedAnswer }),
  };
}

function isStream(body: HttpRequest["body"]): body is BodyStream {
  return typeof body === "object" && !(body instanceof Uint8Array);
}
