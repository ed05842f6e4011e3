/** The streams of a call that somebody made up: what they throw is remembered, whatever the transport makes of it. */
import type { AnyRequest } from "../any-request.js";
import { callbackFailed } from "../call/callback.js";
import { isSuccess } from "./transport.js";
import type { Progress } from "../call/outcome.js";
import type { BodySink, BodyStream, HttpRequest } from "./transport.js";

/** The streams that replace the request's own. */
export function guardedStreams(
  { body, onAnswer }: AnyRequest,
  progress: Progress,
): Pick<HttpRequest, "body" | "onAnswer"> {
  return {
    ...(isStream(body) && { body: { ...body, open: () => guardedPieces(body, progress) } }),
    ...(onAnswer && { onAnswer: guardedAnswer(onAnswer, progress) }),
  };
}

function isStream(body: AnyRequest["body"]): body is BodyStream {
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
  onAnswer: NonNullable<AnyRequest["onAnswer"]>,
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
