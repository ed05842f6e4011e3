import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { snapshot } from "../support/folder-state.js";
import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});
afterEach(() => machine.remove());

const set = (name: string, changes: Readonly<Record<string, string>> = {}) => {
  const flags = {
    "--base-url": "https://api.example",
    "--auth-url": "https://portal.example/authorize",
    "--client-id": "my-app",
    ...changes,
  };
  return machine.run(["env", "set", name, ...Object.entries(flags).flat()]);
};
const environments = async () => parseJson((await machine.run(["env", "list", "--json"])).stdout);

const unset = { base_url: null, auth_url: null, client_id: null, redirect_uri: null, source: "unset" };
const local = {
  name: "local",
  base_url: "http://127.0.0.1:4100",
  auth_url: "http://127.0.0.1:4100/portal/authorize",
  client_id: "comanda-local",
  redirect_uri: "http://127.0.0.1:8765/callback",
  source: "built-in",
};

describe("env", () => {
  it("knows the emulator's environment without a setting, and the service's two by name", async () => {
    expect(await environments()).toEqual([
      local,
      { name: "sandbox", ...unset },
      { name: "production", ...unset },
    ]);
  });

  it("keeps what is set, with the usual redirect address, and forgets it", async () => {
    expect(await set("sandbox")).toMatchObject({ code: 0, stderr: "" });
    const kept = {
      name: "sandbox",
      base_url: "https://api.example",
      auth_url: "https://portal.example/authorize",
      client_id: "my-app",
      redirect_uri: "http://127.0.0.1:8765/callback",
    };
    expect(await environments()).toEqual([
      local,
      { ...kept, source: "setting" },
      { name: "production", ...unset },
    ]);
    expect((await machine.run(["env", "list"])).stdout).toMatch(/^sandbox +https:\/\/api\.example +https/m);
    expect((await machine.run(["env", "remove", "sandbox"])).code).toBe(0);
    expect(await environments()).toEqual([
      local,
      { name: "sandbox", ...unset },
      { name: "production", ...unset },
    ]);
  });

  it.each([
    ["a path prefix", "--base-url", "https://api.example/v2/partner", "base_url"],
    ["a query in the auth_url", "--auth-url", "https://portal.example/go?lang=pt&x=1", "auth_url"],
    ["http on 127.0.0.1", "--base-url", "http://127.0.0.1:9000", "base_url"],
    ["http on localhost", "--base-url", "http://localhost:9000", "base_url"],
    ["http on ::1", "--base-url", "http://[::1]:9000", "base_url"],
    ["a redirect address off this machine", "--redirect-uri", "https://app.example/back", "redirect_uri"],
  ])("takes %s as it is", async (_, flag, value, field) => {
    expect(await set("mine", { [flag]: value })).toMatchObject({ code: 0 });
    expect(await environments()).toContainEqual(expect.objectContaining({ name: "mine", [field]: value }));
  });

  it("drops slashes at the end of the base_url", async () => {
    await set("mine", { "--base-url": "https://api.example/v2/" });
    expect(await environments()).toContainEqual(
      expect.objectContaining({ base_url: "https://api.example/v2" }),
    );
  });

  it.each([
    ["a base_url without host", "--base-url", "https://"],
    ["a base_url that is no URL", "--base-url", "api.example"],
    ["http to another machine", "--base-url", "http://api.example"],
    ["http to another machine's portal", "--auth-url", "http://portal.example/authorize"],
    ["a base_url with credentials", "--base-url", "https://me:pass@api.example"],
    ["a base_url with a query", "--base-url", "https://api.example?a=1"],
    ["a base_url of another scheme", "--base-url", "ftp://api.example"],
    ["an empty client_id", "--client-id", ""],
    ["a redirect address with a fragment", "--redirect-uri", "http://127.0.0.1:8765/callback#top"],
  ])("refuses %s and changes nothing", async (_, flag, value) => {
    await set("mine");
    const before = snapshot(machine.configFolder);
    const { code, stdout, stderr } = await set("mine", { [flag]: value });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: .+\.\n/);
    expect(stderr).toContain(flag);
    expect(snapshot(machine.configFolder)).toEqual(before);
  });

  it.each(["--base-url", "--auth-url", "--client-id"])("asks for %s where it is missing", async (flag) => {
    const flags = ["--base-url", "https://a.example", "--auth-url", "https://b.example", "--client-id", "c"];
    const { code, stderr } = await machine.run([
      "env",
      "set",
      "x",
      ...flags.toSpliced(flags.indexOf(flag), 2),
    ]);
    expect({ code, named: stderr.includes(flag) }).toEqual({ code: 2, named: true });
  });

  it.each([
    ["one that isn't set", "sandbox", /not set/],
    ["one that nobody knows", "sanbox", /Did you mean "sandbox"/],
  ])("refuses to remove %s", async (_, name, message) => {
    const { code, stderr } = await machine.run(["env", "remove", name]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe("an environment that isn't set", () => {
  it.each(["sandbox", "production"])("%s: login says which command sets it", async (name) => {
    const { code, stdout, stderr } = await machine.run(["login", "--store", "centro", "--env", name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`comanda env set ${name} --base-url <url> --auth-url <url> --client-id <id>`);
  });

  it("names the nearest one for a slip", async () => {
    const { code, stderr } = await machine.run(["login", "--store", "centro", "--env", "prodution"]);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "production"?');
  });
});
