/** A server that speaks as much of PostgreSQL's protocol as it takes to say no. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

import { onTestFinished } from "vitest";

export interface StubPostgres {
  /** Answers to the first message, which asks for TLS: `S` or `N`. */
  readonly tls?: "S" | "N";
  /** The server's code and words, in place of a greeting. */
  readonly refusal?: readonly [code: string, message: string];
  /** As `server_version_num`, in answer to whatever is asked. */
  readonly version?: string;
}

/** @returns its port */
export async function startStubPostgres({ tls, refusal, version = "" }: StubPostgres): Promise<number> {
  const answer = (socket: Socket) => (data: Buffer) => {
    // A message after the first begins with its letter; these begin with their length.
    const asked = data.length >= 8 && data[0] === 0 ? data.readInt32BE(4) : undefined;
    if (tls !== undefined && asked === 80_877_103) socket.write(tls);
    else if (refusal) socket.end(refused(...refusal));
    else if (asked === 196_608) socket.write(Buffer.concat([welcome, ready]));
    else if (data.toString("latin1", 0, 1) !== "X")
      socket.write(Buffer.concat([oneRow("version", version), ready]));
  };
  const server = createServer((socket) => {
    socket.on("data", answer(socket)).on("error", () => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return address.port;
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const text = (value: string) => Buffer.from(`${value}\0`);
const int16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 0xffff)]);
const welcome = message("R", int32(0));
const ready = message("Z", Buffer.from("I"));

function refused(code: string, words: string): Buffer {
  return message("E", text("SFATAL"), text(`C${code}`), text(`M${words}`), Buffer.from([0]));
}

function oneRow(name: string, value: string): Buffer {
  const int8 = 20;
  const column = [text(name), int32(0), int16(0), int32(int8), int16(8), int32(-1), int16(0)];
  return Buffer.concat([
    message("T", int16(1), ...column),
    message("D", int16(1), int32(value.length), Buffer.from(value)),
    message("C", text("SELECT 1")),
  ]);
}
