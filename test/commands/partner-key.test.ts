/** `login --partner-key`: stored like the API key, and sent with it alone. */
import { afterAll, describe, expect, test } from "vitest";

import { parseJson } from "../support/json.js";
import { Machine } from "../support/program.js";
import { startStub } from "../support/stub-service.js";

describe("the partner key", () => {
  const machine = new Machine();
  afterAll(() => machine.remove());

  test("is stored beside the API key, and goes out with it alone", async () => {
    const stub = await startStub();
    try {
      await machine.inProcess(
        `env set test --base-url ${stub.url} --auth-url ${stub.url}/auth --client-id c`.split(" "),
      );
      const login = async (kind: string, key: string) =>
        machine.inProcess(["login", kind, "--store", "centro", "--env", "test", "--json"], {
          input: `${key}\n`,
        });
      const partner = await login("--partner-key", "PARTNER-SECRET");
      expect(parseJson(partner.stdout)).toMatchObject({
        state: "signed_out",
        has_api_key: false,
        has_partner_key: true,
      });
      const status = async (...words: string[]) => (await machine.inProcess(["status", ...words])).stdout;
      expect(parseJson(await status("--json"))).toMatchObject({ store: "centro", has_partner_key: true });
      expect(await status()).toMatch(
        /^Store: +centro \(test\)\nState: +signed out\nOrders: +can't be changed\nPartner key: +stored\nTime zone: +not set, .*\n$/,
      );
      const alone = await machine.inProcess(["api", "POST", "/orders", "--auth", "partner", "-f", "a=b"]);
      expect([alone.code, stub.requests]).toEqual([3, []]);
      expect(alone.stderr).toContain("--api-key");
      await login("--api-key", "KEY-SECRET");
      await machine.inProcess(["api", "POST", "/orders", "--auth", "partner", "-f", "a=b"]);
      // A key is tried before it is kept.
      const [tried, sent] = stub.requests;
      expect(tried?.headers).toMatchObject({ "x-api-key": "KEY-SECRET" });
      expect(tried?.headers).not.toHaveProperty("x-partner-key");
      expect(sent?.headers).toMatchObject({ "x-api-key": "KEY-SECRET", "x-partner-key": "PARTNER-SECRET" });
      expect(sent?.headers).not.toHaveProperty("authorization");
      expect(stub.requests).toHaveLength(2);
      expect(machine.written).not.toMatch(/-SECRET/);
    } finally {
      await stub.close();
    }
  });
});
