/** Sends raw HTTP, which no client would send. */
import { connect } from "node:net";

/** Sends the bytes and reads until the other side ends the connection. */
export async function sendRaw(port: number, bytes: string, host = "127.0.0.1") {
  const socket = connect(port, host);
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (text += chunk));
  await new Promise<void>((resolve) => {
    // A reset after the response also ends it.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
    socket.write(bytes);
  });
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return { status: Number(statusLine.split(" ")[1]), headers: Object.fromEntries(headers), body };
}

/** Sends a plain GET on a new connection. */
export async function get(url: string, host?: string) {
  const { port, host: name, pathname, search } = new URL(url);
  return sendRaw(Number(port), `GET ${pathname}${search} HTTP/1.1\r\nHost: ${name}\r\n\r\n`, host);
}
