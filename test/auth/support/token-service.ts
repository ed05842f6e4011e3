/** Runs the two OAuth endpoints over real HTTP, with responses that a test chooses. */
import type { ServerResponse } from "node:http";

import { startStub } from "../../support/stub-service.js";

export interface TokenRequest {
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly form: Readonly<Record<string, string>>;
}

export type Answer = (response: ServerResponse, request: TokenRequest) => void;

export type TokenService = Awaited<ReturnType<typeof startTokenService>>;

/** @param first the response to each request until a test replaces `answer` */
export async function startTokenService(first: Answer = tokens()) {
  const stub = await startStub();
  const requests: TokenRequest[] = [];
  const service = { baseUrl: stub.url, requests, answer: first };
  stub.behave((response) => {
    const { target: path = "", headers = {}, body } = stub.requests.at(-1) ?? {};
    const received = { path, headers, form: Object.fromEntries(new URLSearchParams(body)) };
    requests.push(received);
    service.answer(response, received);
  });
  return service;
}

/** Responds with the tokens of section 5.2, with members changed, added or (`undefined`) left out. */
export function tokens(members: Readonly<Record<string, unknown>> = {}): Answer {
  return json(200, {
    access_token: "access-2",
    token_type: "Bearer",
    expires_in: 7200,
    refresh_token: "refresh-2",
    scope: "orders drivers",
    ...members,
  });
}

export function json(status: number, body: unknown): Answer {
  return raw(status, JSON.stringify(body), { "content-type": "application/json" });
}

export function raw(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body);
}

/** The state of rotating refresh tokens: the valid one, the number of refreshes, and of attempts with another token. */
export interface Rotation {
  current: number;
  count: number;
  reused: number;
}

/** Responds with the next tokens to the valid refresh token, with the current ones to a code, and rejects any other refresh token. */
export function rotatingTokens(rotation: Rotation): Answer {
  return (response, request) => {
    const used = request.form["refresh_token"];
    if (used !== undefined) {
      if (used !== `refresh-${rotation.current}`) {
        rotation.reused += 1;
        json(400, { error: "invalid_grant" })(response, request);
        return;
      }
      rotation.count += 1;
      rotation.current += 1;
    }
    const current = String(rotation.current);
    const given = { access_token: `access-${current}`, refresh_token: `refresh-${current}` };
    tokens(given)(response, request);
  };
}
