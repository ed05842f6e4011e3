/** `comanda env`: the environments of the service, each with its two addresses. */
import { beforeEach, expect, test } from "vitest";

import { containing, Desk, parseJson } from "../support/desk.js";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const flags = "--base-url https://api.example --auth-url https://portal.example/go --client-id app";
const mine = {
  name: "mine",
  base_url: "https://api.example",
  auth_url: "https://portal.example/go",
  client_id: "app",
  redirect_uri: "http://127.0.0.1:8765/callback",
};
const listed = async () => parseJson((await desk.run("env list --json")).stdout) as { name: string }[];

test.each([
  ["https://api.example/api/partner", "https://api.example"],
  ["https://api.example/shop/api/partner/v1/orders", "https://api.example/shop"],
])("env set rejects the base URL %s, which contains the API's own path, and shows %s", async (url, right) => {
  const ran = await desk.run(`env set mine ${flags.replace("https://api.example", url)}`);
  const stderr = containing(`API's own path.\n  Did you mean ${right}?\n`);
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr });
});

test("env set accepts a base URL that only resembles the API's path", async () => {
  const line = flags.replace("https://api.example", "https://api.example/api/partners");
  expect(await desk.run(`env set mine ${line}`)).toMatchObject({ code: 0 });
});

test("env list contains the emulator's environment, and the service's two by name", async () => {
  expect((await listed()).map(({ name }) => name)).toEqual(["local", "sandbox", "production"]);
  expect((await desk.run("env list")).stdout).toMatch(/^sandbox +not set *$/m);
  expect((await desk.run("env list --format csv")).stdout).toMatch(/^sandbox,,,,,,unset\r$/m);
});

test("env set saves an environment, and env remove deletes it", async () => {
  expect((await desk.run(`env set sandbox ${flags}`)).stdout).toBe(
    "The environment sandbox is set up. To sign in to a store: comanda login --store <alias> --env sandbox\n",
  );
  expect((await listed())[1]).toMatchObject({ ...mine, name: "sandbox", source: "setting" });
  expect((await desk.run("env remove sandbox")).stdout).toBe("Environment sandbox removed.\n");
  expect((await listed())[1]).toMatchObject({ name: "sandbox", base_url: null });
});

test("env remove restores the built-in addresses of local, and rejects an environment without others", async () => {
  const before = (await listed())[0];
  await desk.run(`env set local ${flags}`);
  expect((await desk.run("env remove local")).stdout).toBe("local has its built-in addresses again.\n");
  expect((await listed())[0]).toEqual(before);
  for (const name of ["local", "sandbox", "typo"]) {
    const stderr = containing(`No addresses are set for the environment "${name}".\n  See: comanda env list`);
    expect(await desk.run(`env remove ${name}`)).toMatchObject({ code: 2, stderr });
  }
});

test("env set without --auth-url and --client-id is enough for keys, and login names the two that a sign-in requires", async () => {
  const line = "env set production --base-url https://api.example";
  const { stdout: set } = await desk.run(line);
  expect(set).toContain("comanda login --api-key --store <alias> --env production\n");
  expect((await listed())[2]).toMatchObject({ base_url: mine.base_url, auth_url: null, client_id: null });
  const stderr = `error: The environment "production" has no auth_url and no client_id, which a sign-in requires.
  Set it up: comanda env set production --base-url https://api.example --auth-url <url> --client-id <id>
`;
  const login = await desk.run("login --store centro --env production");
  expect(login).toEqual({ code: 2, stdout: "", stderr });
});

test("env set with only one of --auth-url and --client-id names the other one", async () => {
  const ran = await desk.run("env set mine --base-url https://api.example --client-id app");
  expect(ran).toMatchObject({ code: 2, stderr: containing("error: --auth-url is missing.\n") });
});
