/** The client, the emulator and the OpenAPI document use the same rules between fields. */
import { expect, test } from "vitest";

import { openApiDocument } from "../../src/api/openapi.js";
import { callOf } from "../client/support/calls.js";
import { scriptedClient } from "../client/support/scripted.js";

const instants = { start_date: "2026-10-01T00:00:00-03:00", end_date: "2026-10-31T23:59:59-03:00" };
const days = { date_field: "scheduled_date", start_date: "2026-10-01", end_date: "2026-10-31" };
const address = { street: "Rua das Flores" };

/** Handwritten from the specification: a field, its rule and the section. */
const rules = {
  hour: ["group_by", "can't be hour where date_field is scheduled_date", "4.7"],
  firstMoment: [
    "start_date",
    "must be an ISO 8601 date-time with an offset where date_field is created_at",
    "4.6",
  ],
  lastMoment: [
    "end_date",
    "must be an ISO 8601 date-time with an offset where date_field is created_at",
    "4.6",
  ],
  firstDay: ["start_date", "must be a date, YYYY-MM-DD, where date_field is scheduled_date", "4.6"],
  lastDay: ["end_date", "must be a date, YYYY-MM-DD, where date_field is scheduled_date", "4.6"],
  // The specification doesn't show the service's clock for these limits, so the service checks them itself.
  length: ["end_date", "must be at most 6 months after start_date", "8"],
  age: ["start_date", "must not go back more than 3 years", "8"],
  address: ["delivery_address", "is only allowed if order_type is delivery", "4.9"],
} as const;

test.each([
  ["hour", "groupedSummary", { ...days, group_by: "hour" }, { ...instants, group_by: "hour" }],
  ["firstMoment", "summary", { ...instants, start_date: "2026-10-10" }, instants],
  ["lastMoment", "summary", { ...instants, end_date: "2026-10-10" }, instants],
  ["firstDay", "summary", { ...days, start_date: "2026-10-10T00:00:00Z" }, days],
  ["lastDay", "summary", { ...days, end_date: "2026-10-10T00:00:00Z" }, days],
  [
    "address",
    "createPrefilledOrder",
    { order_type: "takeout", delivery_address: address },
    { order_type: "delivery", delivery_address: address },
  ],
] as const)(
  "the client checks the rule %s, and sends what obeys it",
  async (rule, operation, wrong, right) => {
    const credentials = { bearer: () => Promise.resolve("T"), apiKey: () => Promise.resolve("K") };
    const { client, requests } = scriptedClient([], { credentials });
    const [field, says] = rules[rule];
    await expect(callOf(operation, client, wrong)).rejects.toMatchObject({
      code: "invalid_input",
      message: `${field} ${says}.`,
    });
    expect(requests).toEqual([]);
    await callOf(operation, client, right).catch(() => undefined);
    expect(requests).not.toEqual([]);
  },
);

test("the OpenAPI document lists exactly these rules", () => {
  const listed = JSON.stringify(openApiDocument()).match(/(?<=\\n)- `.*?\(section [\d.]+\)\./g);
  expect(new Set(listed)).toEqual(
    new Set(
      Object.values(rules).map(([field, says, section]) => `- \`${field}\` ${says} (section ${section}).`),
    ),
  );
});
