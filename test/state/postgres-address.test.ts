import { describe, expect, test } from "vitest";

import { parsePostgresAddress } from "../../src/state/postgres.js";
import { rejection } from "../support/rejection.js";

describe("a PostgreSQL address", () => {
  test.each([
    ["postgres://ana:secret@db.example/shop", "postgres://ana@db.example:5432/shop", true],
    [
      "postgresql://ana:s%40cr%2Fet@db.example:6000/shop?sslmode=require",
      "postgres://ana@db.example:6000/shop",
      true,
    ],
    ["postgres://ana:secret@db.example/shop?sslmode=verify-ca", "postgres://ana@db.example:5432/shop", true],
    ["postgres://ana:secret@127.0.0.1/shop", "postgres://ana@127.0.0.1:5432/shop", false],
    ["postgres://ana:secret@[::1]:6000/shop?sslmode=disable", "postgres://ana@[::1]:6000/shop", false],
    ["postgres://ana:secret@localhost/shop?sslmode=prefer", "postgres://ana@localhost:5432/shop", true],
  ])("%s is shown as %s, and verified (%s) unless it is on this machine", (text, place, isVerified) => {
    const address = parsePostgresAddress(text);
    expect(address.location).toBe(place);
    expect(address.ssl).toEqual(isVerified && { rejectUnauthorized: true, host: address.host });
    expect(["secret", "s@cr/et"]).toContain(address.password);
  });

  test.each([
    ["a question mark in the password", "postgres://ana:12?hush@db.example/shop"],
    ["a percent sign in the password", "postgres://ana:hush%zz@db.example/shop"],
    ["a space", "postgres://ana:hush @db.example/shop"],
    ["another kind of database", "mysql://ana:hush@db.example/shop"],
    ["no database", "postgres://ana:hush@db.example"],
    ["an unknown option", "postgres://ana:hush@db.example/shop?ssl=hush"],
    ["no TLS elsewhere", "postgres://ana:hush@db.example/shop?sslmode=disable"],
    ["another host in the options", "postgres://ana:hush@db.example/shop?host=hush"],
  ])("with %s is rejected without being quoted", async (_, text) => {
    const { message, hint, cause } = await rejection("configuration", () => parsePostgresAddress(text));
    expect(message).toMatch(/^The address of the PostgreSQL database /);
    expect(`${message} ${hint ?? ""} ${String(cause)}`).not.toContain("hush");
  });
});
