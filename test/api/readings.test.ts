/** A public validator holds each of the emulator's answers, under every reading of the specification, against the document. */
import { afterAll, expect, test } from "vitest";

import { createTransport } from "../../src/client/http.js";
import { openApiDocument } from "../../src/api/openapi.js";
import { dimensions } from "../../src/api/values.js";
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
  const now = Date.parse("2026-11-20T15:00:00Z");
  const emulator = await startEmulator({ orders: 60, seed: 11, readings: chosen, now });
  const seen: Exchange[] = [];
  const send = async (method: Exchange["method"], path: string, body: string, headers = {}) => {
    const url = `${emulator.baseUrl}${path}`;
    const { status, body: answer } = await transport.send({
      ...{ method: method as "GET", url, headers },
      ...(body !== "" && { body }),
    });
    seen.push({ method, path, headers, body, status, answer });
  };
  const orders = "/api/partner/v1/orders";
  const json = (token: string) => ({ "content-type": "application/json", authorization: `Bearer ${token}` });
  const { accessToken, refreshToken, apiKey } = emulator.signIn();
  const ask = (fields: object, token = accessToken) =>
    send("GET", `${orders}/summary?${new URLSearchParams({ ...fields }).toString()}`, "", json(token));
  const oauth = (name: string, fields: Record<string, string>) =>
    send("POST", `/api/partner/oauth/${name}`, new URLSearchParams(fields).toString(), {
      "content-type": "application/x-www-form-urlencoded",
    });
  const period = { start_date: "2026-10-20T00:00:00-03:00", end_date: "2026-11-19T23:59:59-03:00" };
  try {
    const { id } = emulator.createOrder({
      order_type: "delivery",
      status: "ready",
      delivered_by: "merchant",
    });
    const { id: other } = emulator.createOrder({ order_type: "delivery", status: "confirmed" });
    const groups = dimensions.map((by) => [
      "GET",
      `summary/grouped?${new URLSearchParams({ ...period, group_by: by }).toString()}`,
    ]);
    for (const [method = "", path = "", body = ""] of [
      ["PUT", `${id}/driver`, '{"driver_id":11,"driver_fee":7.5}'],
      ["PUT", `${id}/driver`, '{"driver_id":11,"driver_fee":7.5,"x":1}'],
      ["POST", `${id}/dispatch`],
      ["POST", `${id}/dispatch`],
      ["POST", `${id}/delivered`],
      ["POST", `${id}/finalize`],
      ["PUT", `${id}/driver`, '{"driver_id":12}'],
      ["POST", `${other}/cancel`, '{"cancellation_reason":"no dough"}'],
      ["POST", `${other}/finalize`, "[]"],
      ["POST", "999999/dispatch"],
      ...groups,
    ]) {
      // The limits are for the end.
      emulator.clock.advance(13_000);
      await send(method, `${orders}/${path}`, body, json(accessToken));
    }
    const order = '{"order_type":"takeout","cart":[{"item_id":3001,"quantity":1}]}';
    const key = { "content-type": "application/json", "x-api-key": apiKey };
    await send("POST", `${orders}/prefilled_order`, order, key);
    await ask(period, "none");
    await ask({ start_date: "2026-11-19" });
    for (let times = 0; times < 6; times++) await ask(period);
    emulator.setApp({ scopes: ["store"] });
    await send("POST", `${orders}/${id}/delivered`, "", json(emulator.signIn().accessToken));
    const { clientId: client_id } = emulator;
    const refresh = { grant_type: "refresh_token", client_id, refresh_token: refreshToken };
    for (const fields of [refresh, refresh, { ...refresh, client_id: "nobody" }])
      await oauth("token", fields);
    for (const token of [emulator.signIn().accessToken, "none"]) await oauth("revoke", { client_id, token });
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
