/** A proxy between the program and a service that records every secret in the traffic. */
import { createServer, request, type IncomingMessage } from "node:http";

import { afterwards, listening, stopServer } from "./resources.js";

/** @param service the origin of the service */
export async function startWitness(service: string) {
  /** Each secret with its kind. */
  const secrets = new Map<string, string>();
  const note = (kind: string, secret: string | null | undefined) => {
    if (secret) secrets.set(secret, kind);
  };
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const { headers, method } = incoming;
    note("access_token", headers.authorization?.replace(/^Bearer /, ""));
    note("api_key", [headers["x-api-key"] ?? ""].flat()[0]);
    const onward = request(new URL(path, service), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", () => outgoing.destroy()).pipe(outgoing);
      void textOf(answer).then((text) => {
        for (const name of ["access_token", "refresh_token"]) {
          note(name, new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]);
        }
      });
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
    void textOf(incoming).then((body) => {
      const form = new URLSearchParams(path.includes("/oauth/") ? body : "");
      for (const name of ["code", "code_verifier", "refresh_token", "token"]) note(name, form.get(name));
    });
  });
  const port = await listening(server);
  afterwards(() => stopServer(server));
  return { url: `http://127.0.0.1:${port}`, secrets, note };
}

/** Returns the received part of a message. */
async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  message.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  return new Promise((resolve) => message.once("close", () => resolve(text)));
}
