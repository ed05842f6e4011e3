/** Shares encrypted sign-ins and settings between machines. */
import { chmodSync, chownSync, lchownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { openSealedRows } from "../../src/state/postgres.js";
import { hasPostgres, newChain, newStateKey, stateKey } from "./support/engines.js";
import { temporaryFolder } from "./support/folder.js";
import { rejection } from "../support/rejection.js";
import { session } from "../auth/support/sessions.js";

const secrets = {
  api_key: "hush-api-key",
  partner_key: "hush-partner-key",
  tokens: { access_token: "hush-access", refresh_token: "hush-refresh", expires_at: 5, generation: 1 },
};
const secret = (store: string) => ({ ...session(store), ...secrets });

/** Creates a chain with two sign-ins and a setting. */
async function chainWithStores() {
  const chain = await newChain();
  const machine = await chain.machine();
  for (const store of ["a", "b"]) await machine.sessions.update(store, () => Promise.resolve(secret(store)));
  await machine.settings.update((current) => ({ ...current, currency: "BRL" }));
  return { chain, ...machine };
}

describe.skipIf(!hasPostgres)("the state of a chain", () => {
  test("contains no readable secret or setting in the database", async () => {
    const { chain } = await chainWithStores();
    const listed =
      "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema like 'comanda%'";
    const tables = await chain.query(listed);
    expect(tables.length).toBeGreaterThan(5);
    const rows = await Promise.all(
      tables.map(({ name }) => chain.query(`select t::text as row from ${String(name)} t`)),
    );
    const dump = rows.flatMap((all) => all.map(({ row }) => String(row).replaceAll('""', '"'))).join("\n");
    expect(dump).toMatch(/^\(s-a,/m);
    const token = Buffer.from("hush-access").toString("base64").slice(0, 10);
    for (const text of ["hush", '"BRL"', stateKey, token]) expect(dump).not.toContain(text);
  });

  test("is rejected if its rows were replaced or changed", async () => {
    const { chain, sessions, settings } = await chainWithStores();
    const contentOf = (name: string) => `(select content from comanda.sealed where name = '${name}')`;
    const changed = "substr(content, 1, 13) || 'AAAA' || substr(content, 18)";
    const plain = `'${JSON.stringify(secret("a"))}'`;
    for (const [name, other, read] of [
      ["s-a", "settings", () => sessions.read("a")],
      ["s-a", "settings", () => sessions.update("a", () => Promise.resolve(secret("a")))],
      ["settings", "s-a", () => settings.read()],
    ] as const) {
      const [row] = await chain.query(`select content from comanda.sealed where name = '${name}'`);
      for (const content of [plain, "'{\"environments\":{}}'", contentOf("s-b"), contentOf(other), changed]) {
        await chain.query(`update comanda.sealed set content = ${content} where name = '${name}'`);
        const { message } = await rejection("state_unusable", read);
        expect(message).toContain(`${name} in PostgreSQL can't be decrypted`);
        expect(message).not.toContain("hush");
        expect((await sessions.list()).map((each) => "error" in each)).toEqual([name === "s-a", false]);
      }
      const before = String(row?.["content"]);
      await chain.query(`update comanda.sealed set content = '${before}' where name = '${name}'`);
    }
    expect(await sessions.read("a")).toEqual(secret("a"));
  });

  test("requires a key, is read with any of several keys, and written with the first", async () => {
    const { chain, sessions } = await chainWithStores();
    const keyless = await chain.machine({ COMANDA_STATE_KEY: undefined });
    const { message, hint } = await rejection("configuration", () => keyless.sessions.read("missing"));
    expect(message).toBe(
      "No 32-byte key in base64 is set. Secrets are stored in PostgreSQL only if they can be encrypted.",
    );
    expect(hint).toContain("openssl rand -base64 32");
    await rejection("configuration", () => keyless.sessions.update("c", () => Promise.resolve(secret("c"))));
    await rejection("configuration", () => keyless.settings.read());
    await keyless.sessions.remove("b");
    expect(await chain.query("select name from comanda.sealed where name = 's-b'")).toEqual([]);
    const both = await chain.machine({ COMANDA_STATE_KEY: `${newStateKey()}, ${stateKey}` });
    expect(await both.sessions.read("a")).toEqual(secret("a"));
    await both.sessions.update("a", () => Promise.resolve(secret("a")));
    await rejection("state_unusable", () => sessions.read("a"));
  });
});

const read = (env: Readonly<Record<string, string>>) => () =>
  openSealedRows(() => Promise.reject(new Error("connected")), env).read("s-a");
const keyIn = (file: string) => read({ COMANDA_STATE_KEY_FILE: file })();

describe("a state key", () => {
  test.each([
    [newStateKey().slice(1), /^State key 1 isn't 32 bytes in base64\.$/],
    [`${newStateKey()} nonsense`, /^State key 2 isn't 32 bytes in base64\.$/],
    [" , ", /^No 32-byte key in base64 is set\./],
  ])("%j is rejected, because it isn't 32 bytes in base64", async (text, problem) => {
    const { message, hint = "" } = await rejection("configuration", read({ COMANDA_STATE_KEY: text }));
    expect(message).toMatch(problem);
    // A new key can't replace one of several.
    expect(hint.includes("openssl")).toBe(message.startsWith("No "));
  });

  test("can be in a private file", async () => {
    const file = path.join(temporaryFolder(), "key");
    writeFileSync(file, `${newStateKey()}\n`, { mode: 0o600 });
    await expect(keyIn(file)).rejects.toThrow("connected");
    chmodSync(file, 0o660);
    const { hint } = await rejection("state_unusable", () => keyIn(file));
    expect(hint).toContain("that only you can read (mode 600)");
    symlinkSync(file, `${file}.link`);
    await rejection("state_unusable", () => keyIn(`${file}.link`));
    const { message } = await rejection("configuration", () => keyIn(`${file}.gone`));
    expect(message).toBe(`${file}.gone can't be read: the file or folder doesn't exist.`);
  });
});

describe.skipIf(process.getuid?.() !== 0)("a state key in a file of root's", () => {
  /** Creates what Kubernetes mounts: key -> ..data/key, ..data -> ..2026, in a folder of mode 1777. */
  function mounted() {
    const folder = temporaryFolder();
    const place = (...names: string[]) => path.join(folder, "secret", ...names);
    mkdirSync(place("..2026"), { recursive: true });
    chmodSync(place("..2026"), 0o755);
    writeFileSync(place("..2026", "key"), newStateKey());
    chmodSync(place("..2026", "key"), 0o444);
    symlinkSync("..2026", place("..data"));
    symlinkSync(path.join("..data", "key"), place("key"));
    chmodSync(place(), 0o1777);
    return place;
  }
  test("is accepted if only root can change it, through links", async () => {
    const place = mounted();
    chmodSync(place("..2026", "key"), 0o644);
    await expect(keyIn(place("key"))).rejects.toThrow("connected");
  });

  const other = 54_321;
  const tieInLoop = (place: ReturnType<typeof mounted>) => {
    rmSync(place("..data"));
    symlinkSync("..data", place("..data"));
  };
  test.each<[string, (place: ReturnType<typeof mounted>) => void]>([
    ["the file is another user's", (place) => chownSync(place("..2026", "key"), other, other)],
    ["its group can write the file", (place) => chmodSync(place("..2026", "key"), 0o664)],
    ["a link is another user's", (place) => lchownSync(place("..data"), other, other)],
    ["others can write to a folder on the way", (place) => chmodSync(place("..2026"), 0o757)],
    ["the links never end", tieInLoop],
  ])("is rejected if %s", async (_, change) => {
    const place = mounted();
    change(place);
    const { hint } = await rejection("state_unusable", () => keyIn(place("key")));
    expect(hint).toContain("a file that only root can change");
  });
});
