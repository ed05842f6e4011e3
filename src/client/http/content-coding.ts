/** Undoes the content codings of an answer (RFC 9110, section 8.4). Loaded only where an answer has one. */
import type { Transform } from "node:stream";
import zlib from "node:zlib";

import { classify } from "./transport-failure.js";
import { TransportError } from "./transport.js";
import { t } from "../../shared/language.js";

/** Takes a body as it was sent, piece by piece, and passes on what it stands for. */
export interface Decoder {
  /**
   * Resolves when more can be taken.
   *
   * @throws {TransportError} `bad_answer` for what is not encoded as the answer says
   * @throws what the sink threw
   */
  write(piece: Uint8Array): Promise<void>;
  /**
   * The body is at its end; resolves when all of it was passed on.
   *
   * @throws as {@link write} does, also for a body that is cut off
   */
  end(): Promise<void>;
}

type Sink = (piece: Buffer) => void | Promise<void>;

/** The most codings of one answer: each costs memory, and an answer could name thousands. */
const mostCodings = 4;

/**
 * @param codings in the order in which they were applied
 * @param start of the body
 * @throws {TransportError} `bad_answer` for a coding that is not known here
 */
export function decoderOf(codings: readonly string[], start: Uint8Array, sink: Sink): Decoder {
  // The coding that was applied last comes off first.
  const [first, ...others] = codings.slice(-mostCodings - 1).reverse();
  if (first === undefined || others.length >= mostCodings) throw unknownCoding();
  const input = decompressor(first, start);
  const output = others.reduce((previous, coding) => {
    const next = decompressor(coding);
    previous.on("error", (error) => next.destroy(error));
    return previous.pipe(next);
  }, input);
  let isDone = false;
  const done = passOn(output, sink).finally(() => (isDone = true));
  // Whoever writes or ends is told of it.
  done.catch(() => undefined);
  return {
    async write(piece) {
      // Bytes after the end of the encoded data are left out.
      if (isDone || input.write(piece)) return;
      await Promise.race([new Promise<void>((resolve) => input.once("drain", resolve)), done]);
    },
    async end() {
      input.end();
      await done;
    },
  };
}

async function passOn(output: Transform, sink: Sink): Promise<void> {
  let thrown: { readonly error: unknown } | undefined;
  try {
    for await (const piece of piecesOf(output)) {
      try {
        await sink(piece);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    }
  } catch (error) {
    throw thrown || !(error instanceof Error) ? error : classify(error, true);
  }
}

/** A stream says of its pieces that they can be anything. */
function piecesOf(stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return stream;
}

/** @param start of what it is to read, where that is known */
function decompressor(coding: string, start?: Uint8Array): Transform {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return isRaw(start) ? zlib.createInflateRaw() : zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw unknownCoding();
  }
}

/** Some leave out the wrapping that the coding has (RFC 9110, section 8.4.1.2); it begins with an 8 (RFC 1950, 2.2). */
function isRaw([first]: Uint8Array = new Uint8Array()): boolean {
  return first !== undefined && (first & 0x0f) !== 8;
}

function unknownCoding(): TransportError {
  return new TransportError("bad_answer", true, t`its content coding is none that comanda reads`);
}
