/** The streams of a call of any path: what they throw is remembered, whatever the transport makes of it. */
import { isSuccess, type BodySink, type BodyStream, type HttpRequest } from "../http/transport.js";
import type { Progress } from "./call.js";
import { callbackFailed } from "./callback.js";

/** Gives the request with streams that tell the call's progress of what they throw, and of an answer that is handed on. */
export function guardStreams(request: HttpRequest, progress: Progress): HttpRequest {
  const { body, onAnswer } = request;
  return {
    ...request,
    ...(isStream(body) && { body: { ...body, open: () => guardedPieces(body, progress) } }),
    ...(onAnswer && { onAnswer: guardedAnswer(onAnswer, progress) }),
  };
}

function isStream(body: HttpRequest["body"]): body is BodyStream {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

async function* guardedPieces(body: BodyStream, progress: Progress): AsyncIterable<Uint8Array> {
  try {
    yield* body.open();
  } catch (error) {
    throw remember("body.open", error, progress);
  }
}

/** Only a 2xx is handed on as it comes: another answer may be followed by a better one. */
function guardedAnswer(
  onAnswer: NonNullable<HttpRequest["onAnswer"]>,
  progress: Progress,
): NonNullable<HttpRequest["onAnswer"]> {
  return (head) => {
    if (!isSuccess(head)) return undefined;
    let sink: BodySink | undefined;
    try {
      sink = onAnswer(head);
    } catch (error) {
      throw remember("onAnswer", error, progress);
    }
    if (!sink) return undefined;
    progress.delivered = true;
    return guardedSink(sink, progress);
  };
}

const sinkName = "that onAnswer returned";

function guardedSink(sink: BodySink, progress: Progress): BodySink {
  return (piece) => {
    try {
      return sink(piece)?.catch((error: unknown) => {
        throw remember(sinkName, error, progress);
      });
    } catch (error) {
      throw remember(sinkName, error, progress);
    }
  };
}

function remember(name: string, thrown: unknown, progress: Progress): Error {
  progress.fault ??= callbackFailed(name, thrown);
  return progress.fault;
}
