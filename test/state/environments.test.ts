import { describe, expect, test } from "vitest";

import {
  listEnvironments,
  localEnvironment,
  parseEnvironment,
  resolveEnvironment,
  withEnvironment,
  withoutEnvironment,
  type EnvironmentInput,
} from "../../src/state/environments.js";
import { rejection } from "./support/rejection.js";

const good: EnvironmentInput = {
  name: "sandbox",
  base_url: "https://api.example.com",
  auth_url: "https://portal.example.com/authorize",
  client_id: "my-app",
};

describe("what is accepted", () => {
  test.each<[string, Partial<EnvironmentInput>, Partial<EnvironmentInput>]>([
    [
      "the plain case",
      {},
      { base_url: "https://api.example.com", redirect_uri: "http://127.0.0.1:8765/callback" },
    ],
    [
      "trailing slashes, dropped",
      { base_url: "https://api.example.com//" },
      { base_url: "https://api.example.com" },
    ],
    ["a path prefix", { base_url: "https://h.example/a/b/" }, { base_url: "https://h.example/a/b" }],
    [
      "upper case in the host",
      { base_url: "HTTPS://API.Example.com:443" },
      { base_url: "https://api.example.com" },
    ],
    ["http on loopback", { base_url: "http://127.0.0.1:4100" }, { base_url: "http://127.0.0.1:4100" }],
    ["http on another loopback", { base_url: "http://127.9.8.7:1" }, { base_url: "http://127.9.8.7:1" }],
    ["http on IPv6 loopback", { base_url: "http://[::1]:4100" }, { base_url: "http://[::1]:4100" }],
    ["http on localhost", { base_url: "http://localhost:80/x" }, { base_url: "http://localhost/x" }],
    [
      "a query in auth_url, kept",
      { auth_url: "https://p.example/a?tenant=7&lang=pt" },
      { auth_url: "https://p.example/a?tenant=7&lang=pt" },
    ],
    [
      "redirect_uri, to the letter",
      { redirect_uri: "http://LocalHost:80/Call%20back?x=1" },
      { redirect_uri: "http://LocalHost:80/Call%20back?x=1" },
    ],
    [
      "redirect_uri on https",
      { redirect_uri: "https://app.example/done" },
      { redirect_uri: "https://app.example/done" },
    ],
  ])("%s", (_, input, expected) => {
    expect(parseEnvironment({ ...good, ...input })).toMatchObject(expected);
  });
});

describe("what is refused", () => {
  test.each<[Partial<EnvironmentInput>, string, string]>([
    [{ base_url: "" }, "--base-url", "absolute"],
    [{ base_url: "api.example.com" }, "--base-url", "absolute"],
    [{ base_url: "ftp://api.example.com" }, "--base-url", "absolute"],
    [{ base_url: "https:api.example.com" }, "--base-url", "absolute"],
    [{ base_url: "https://" }, "--base-url", "absolute"],
    [{ base_url: "https://:443/api" }, "--base-url", "absolute"],
    [{ base_url: "https://api.example.com:99999" }, "--base-url", "absolute"],
    [{ base_url: "https://a b.example" }, "--base-url", "absolute"],
    [{ base_url: "https://a.example\\@b.example" }, "--base-url", "absolute"],
    [{ base_url: "https://a.example/\u0007" }, "--base-url", "absolute"],
    [{ base_url: "http://api.example.com" }, "--base-url", "https"],
    [{ base_url: "http://127.0.0.1.example.com" }, "--base-url", "https"],
    [{ base_url: "http://localhost.example.com" }, "--base-url", "https"],
    [{ base_url: "http://10.0.0.1" }, "--base-url", "https"],
    [{ base_url: "https://me:hunter2@api.example.com" }, "--base-url", "password"],
    [{ base_url: "https://api.example.com?x=1" }, "--base-url", "?"],
    [{ base_url: "https://api.example.com#x" }, "--base-url", "#"],
    [{ auth_url: "http://portal.example.com" }, "--auth-url", "https"],
    [{ auth_url: "https://portal.example.com/#/authorize" }, "--auth-url", "#"],
    [{ client_id: "my app" }, "--client-id", "visible ASCII"],
    [{ client_id: "açaí" }, "--client-id", "visible ASCII"],
    [{ redirect_uri: "http://app.example/done" }, "--redirect-uri", "https"],
    [{ redirect_uri: "http://127.0.0.1/callback" }, "--redirect-uri", "port"],
    [{ redirect_uri: "http://[::1]/callback" }, "--redirect-uri", "port"],
    [{ redirect_uri: "http://127.0.0.1:8765/callback#x" }, "--redirect-uri", "#"],
    [{ redirect_uri: "http://127.0.0.1:8765/ção" }, "--redirect-uri", "ç"],
  ])("%j", async (input, flag, reason) => {
    const error = await rejection("invalid_input", () => parseEnvironment({ ...good, ...input }));
    expect(error.message).toContain(flag);
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain("hunter2");
  });

  test.each(["", "Sandbox", "-x", "a_b", "a".repeat(33), "a b", "../x"])("the name %j", async (name) => {
    await rejection("invalid_input", () => parseEnvironment({ ...good, name }));
  });
});

describe("choosing one", () => {
  const none = { environments: {} };

  test("local is built in, and can be set", () => {
    expect(resolveEnvironment(none, "local")).toEqual(localEnvironment);
    const mine = { ...localEnvironment, base_url: "http://127.0.0.1:5000" };
    expect(resolveEnvironment(withEnvironment(none, mine), "local")).toEqual(mine);
  });

  test.each(["sandbox", "production"])("%s says which command sets it", async (name) => {
    const error = await rejection("configuration", () => resolveEnvironment(none, name));
    expect(error.hint).toContain(
      `comanda env set ${name} --base-url <url> --auth-url <url> --client-id <id>`,
    );
  });

  test.each([
    ["sanbox", ' Did you mean "sandbox"?'],
    ["constructor", ""],
  ])("there is no %s: says which there are, and the nearest", (name, suggestion) => {
    expect(() => resolveEnvironment(none, name)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        message: `There is no environment "${name}".${suggestion}`,
        hint: "There are: local, sandbox, production.",
      }) as Error,
    );
  });

  test("a setting that was edited into something unsafe is refused", async () => {
    const unsafe = { ...localEnvironment, base_url: "http://api.example.com" };
    await rejection("invalid_input", () => resolveEnvironment({ environments: { mine: unsafe } }, "mine"));
  });

  test("adding, listing, removing", async () => {
    const mine = parseEnvironment({ ...good, name: "constructor" });
    const settings = withEnvironment({ default_store: "x", environments: {} }, mine);
    expect(resolveEnvironment(settings, "constructor")).toEqual(mine);
    expect(listEnvironments(settings).map(({ name, source }) => `${name}: ${source}`)).toEqual([
      "local: built-in",
      "sandbox: unset",
      "production: unset",
      "constructor: setting",
    ]);
    expect(withoutEnvironment(settings, "constructor")).toEqual({ default_store: "x", environments: {} });
    await rejection("invalid_input", () => withoutEnvironment(none, "sandbox"));
    await rejection("invalid_input", () => withoutEnvironment(none, "elsewhere"));
  });
});
