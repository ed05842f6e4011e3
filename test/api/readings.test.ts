/** A public validator holds each of the emulator's answers, under every reading of the specification, against the document. */
import { afterAll, expect, test } from "vitest";

import { createTransport } from "../../src/client/http.js";
import { openApiDocument } from "../../src/api/openapi.js";
import { readingTable } from "../../src/emulator/readings.js";
import { startEmulator, type Readings } from "../../src/library/emulator.js";
import { rowsInSearch } from "../support/in-search.js";
import { createValidator, type Exchange } from "../support/openapi-validator.js";

const transport = createTransport();
afterAll(() => transport.close());
const validate = createValidator(openApiDocument());

const readings = Object.entries(readingTable).flatMap(([name, { values }]) =>
  values.map((value): [string, Partial<Readings>] => [`${name}=${String(value)}`, { [name]: value }]),
);

/** Each operation once as it succeeds, and each refusal of section 7. */
async function journey(chosen: Partial<Readings>): Promise<readonly Exchange[]> {
  const emulator = await startEmulator({
    ...{ orders: 60, seed: 11, readings: chosen, now: Date.parse("2026-11-20T15:00:00Z") },
  });
  const seen: Exchange[] = [];
  const send = async (method: Exchange["method"], path: string, body: string, headers = {}) => {
    const url = `${emulator.baseUrl}${path}`;
    const { status, body: answer } = await transport.send({
      ...{ method: method as "GET", url, headers },
      ...(body !== "" && { body }),
    });
    seen.push({ method, path, headers, body, status, answer });
    return answer;
  };
  const json = (token: string) => ({ "content-type": "application/json", authorization: `Bearer ${token}` });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const { accessToken, refreshToken } = emulator.signIn();
  const at = (path: string) => `/api/partner/v1/orders/${path}`;
  const change = (path: string, body = "", method = "POST") => {
    // The limits are for the end.
    emulator.clock.advance(13_000);
    return send(method, at(path), body, json(accessToken));
  };
  try {
    const id = emulator.createOrder({ order_type: "delivery", status: "ready", delivered_by: "merchant" }).id;
    const other = emulator.createOrder({ order_type: "delivery", status: "confirmed" }).id;
    await change(`${id}/driver`, '{"driver_id":11,"driver_fee":7.5}', "PUT");
    await change(`${id}/driver`, '{"driver_id":11,"driver_fee":7.5,"x":1}', "PUT");
    await change(`${id}/dispatch`);
    await change(`${id}/dispatch`);
    await change(`${id}/deliver`);
    await change(`${id}/finalize`);
    await change(`${id}/finalize`);
    await change(`${id}/driver`, '{"driver_id":12}', "PUT");
    await change(`${other}/cancel`, '{"cancellation_reason":"no dough"}');
    await change(`${other}/finalize`, "[]");
    await change("999999/dispatch");
    await change("x/dispatch");
    const days = "start_date=2026-10-20T00:00:00-03:00&end_date=2026-11-19T23:59:59-03:00".replaceAll(
      ":",
      "%3A",
    );
    await change(`summary?${days}`, "", "GET");
    await change(`summary?${days}&status_in%5B%5D=waiting_to_catch&total_gteq=99999`, "", "GET");
    for (const dimension of [
      "hour",
      "day",
      "day_of_week",
      "week",
      "month",
      "driver_id",
      "payment_method_id",
      "customer_origin",
      "status",
    ])
      await change(`summary/grouped?${days}&group_by=${dimension}`, "", "GET");
    await change("summary?start_date=2026-11-19", "", "GET");
    const key = { "content-type": "application/json", "x-api-key": emulator.signIn().apiKey };
    await send(
      "POST",
      "/api/partner/v1/prefilled_order",
      '{"order_type":"takeout","cart":[{"item_id":3001,"quantity":1}]}',
      key,
    );
    await send("GET", at(`summary?${days}`), "", { authorization: "Bearer none" });
    emulator.setApp({ scopes: ["store"] });
    await send("POST", at(`${id}/deliver`), "", json(emulator.signIn().accessToken));
    const refresh = new URLSearchParams({
      grant_type: "refresh_token",
      client_id: emulator.clientId,
      refresh_token: refreshToken,
    });
    for (let times = 0; times < 2; times++)
      await send("POST", "/api/partner/oauth/token", refresh.toString(), form);
    const foreign = new URLSearchParams({ ...Object.fromEntries(refresh), client_id: "nobody" });
    await send("POST", "/api/partner/oauth/token", foreign.toString(), form);
    for (const token of [emulator.signIn().accessToken, "none"])
      await send(
        "POST",
        "/api/partner/oauth/revoke",
        new URLSearchParams({ client_id: emulator.clientId, token }).toString(),
        form,
      );
    const { accessToken: busy } = emulator.signIn();
    for (let times = 0; times < 8; times++) await send("GET", at(`summary?${days}`), "", json(busy));
  } finally {
    await emulator.close();
  }
  return seen;
}

test.each<[string, Partial<Readings>]>([["the usual readings", {}], ...rowsInSearch(readings)])(
  "%s: the document describes each answer",
  async (_, chosen) => {
    const seen = await journey(chosen);
    const bad = seen.flatMap((exchange) =>
      validate(exchange).map(
        (problem) =>
          `${exchange.method} ${exchange.path} ${exchange.status} ${exchange.answer.slice(0, 80)}: ${problem}`,
      ),
    );
    expect(bad).toEqual([]);
  },
);
