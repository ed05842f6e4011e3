/** Each rule between fields stands once in the contract: the client, the emulator and the OpenAPI document have it alike. */
import { describe, expect, test } from "vitest";

import { calls } from "../client/support/calls.js";
import { scriptedClient } from "../client/support/scripted.js";
import { openApiDocument } from "../../src/api/openapi.js";

interface Case {
  readonly operation: "summary" | "groupedSummary" | "createPrefilledOrder";
  readonly input: Readonly<Record<string, unknown>>;
  /** As the rule says it. */
  readonly field: string;
  readonly message: string;
  readonly section: string;
  /** The same, but that the rule holds. */
  readonly allowed: Readonly<Record<string, unknown>>;
}

const instants = { start_date: "2026-10-01T00:00:00-03:00", end_date: "2026-10-31T23:59:59-03:00" };
const days = { date_field: "scheduled_date", start_date: "2026-10-01", end_date: "2026-10-31" };
const address = { delivery_address: { street: "Rua das Flores" } };

/** Written by hand from the specification. Today is 2026-11-20. */
const cases: readonly Case[] = [
  {
    section: "4.7",
    operation: "groupedSummary",
    field: "group_by",
    message: "can't be hour where date_field is scheduled_date",
    input: { ...days, group_by: "hour" },
    allowed: { ...instants, group_by: "hour" },
  },
  ...(["start_date", "end_date"] as const).flatMap((field): Case[] => [
    {
      section: "4.6",
      operation: "summary",
      field,
      message: "must be an ISO 8601 date-time with an offset where date_field is created_at",
      input: { ...instants, [field]: "2026-10-10" },
      allowed: { ...instants, date_field: "created_at" },
    },
    {
      section: "4.6",
      operation: "groupedSummary",
      field,
      message: "must be a date, YYYY-MM-DD, where date_field is scheduled_date",
      input: { ...days, [field]: "2026-10-10T00:00:00Z", group_by: "day" },
      allowed: { ...days, group_by: "day" },
    },
  ]),
  {
    section: "8",
    operation: "summary",
    field: "end_date",
    message: "must be at most 6 months after start_date",
    input: { ...days, start_date: "2026-04-10", end_date: "2026-10-15" },
    allowed: { ...days, start_date: "2026-04-10", end_date: "2026-10-10" },
  },
  {
    section: "8",
    operation: "summary",
    field: "start_date",
    message: "must not go back more than 3 years",
    input: { ...days, start_date: "2023-11-15", end_date: "2023-11-30" },
    allowed: { ...days, start_date: "2023-11-20", end_date: "2023-11-30" },
  },
  {
    section: "4.9",
    operation: "createPrefilledOrder",
    field: "delivery_address",
    message: "is only allowed where order_type is delivery",
    input: { order_type: "takeout", ...address },
    allowed: { order_type: "delivery", ...address },
  },
];

const titled = cases.map((one) => [`${one.field} ${one.message} (${one.operation})`, one] as const);

describe("the client", () => {
  const credentials = { bearer: () => Promise.resolve("T"), apiKey: () => Promise.resolve("K") };

  // By which clock the service counts the months and years of section 8 is not shown: it judges by them itself.
  const ours = titled.filter(([, { section }]) => section !== "8");
  test.each(ours)("%s", async (_, { operation, input, allowed, field, message }) => {
    const { client, requests } = scriptedClient([], { credentials });
    await expect(calls[operation](client, input)).rejects.toMatchObject({
      code: "invalid_input",
      message: `${field} ${message}.`,
    });
    expect(requests).toEqual([]);
    await calls[operation](client, allowed).catch(() => undefined);
    expect(requests).not.toEqual([]);
  });
});

test("the OpenAPI document lists these rules, and no other", () => {
  const listed = JSON.stringify(openApiDocument()).match(/(?<=\\n)- `.*?\(section [\d.]+\)\./g);
  expect(new Set(listed)).toEqual(
    new Set(cases.map((one) => `- \`${one.field}\` ${one.message} (section ${one.section}).`)),
  );
});
