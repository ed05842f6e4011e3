import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, test } from "vitest";

import { dataFilesIn, openState, temporaryFolder } from "./support/folder.js";
import { rejection } from "./support/rejection.js";
import { session } from "./support/sessions.js";

function open(folder = temporaryFolder()) {
  const sessions = openState(folder).sessions;
  const file = (name: string) => path.join(folder, "sessions", name);
  const add = (store: string) => sessions.update(store, () => Promise.resolve(session(store)));
  return { folder, sessions, file, add };
}

describe("a session", () => {
  test("is kept in a private file, and found whatever the letter case", async () => {
    const { sessions, folder, file, add } = open();
    expect(await sessions.read("Downtown")).toBeUndefined();
    expect(dataFilesIn(folder)).toEqual([]);
    await add("Downtown");
    expect(dataFilesIn(folder)).toEqual([path.join("sessions", "s-downtown.json")]);
    expect(statSync(file("s-downtown.json")).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(folder, "sessions")).mode & 0o777).toBe(0o700);
    expect(await sessions.read("DOWNTOWN")).toEqual(session("Downtown"));
  });

  test("is changed under the lock: written at once, more than once, or not at all", async () => {
    const { sessions, add } = open();
    await add("a");
    const other = openState(temporaryFolder()).sessions;
    expect(await other.update("b", () => Promise.resolve(undefined))).toBeUndefined();
    const result = await sessions.update("a", async (current, write) => {
      expect(current).toEqual(session("a"));
      await write(session("a", 2));
      expect((await sessions.read("a"))?.tokens?.generation).toBe(2);
      return undefined;
    });
    expect(result).toEqual(session("a", 2));
  });

  test("is as it was when a change fails", async () => {
    const { sessions, add } = open();
    await add("a");
    await expect(sessions.update("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await sessions.read("a")).toEqual(session("a"));
  });

  test("is not written where it could not be read again", async () => {
    const { sessions, add } = open();
    await add("a");
    await expect(sessions.update("a", () => Promise.resolve(session("b")))).rejects.toMatchObject({
      code: "internal",
    });
    const broken = {
      ...session("a"),
      environment: { ...session("a").environment, base_url: Object(1) as string },
    };
    await expect(sessions.update("a", () => Promise.resolve(broken))).rejects.toMatchObject({
      code: "internal",
    });
    expect(await sessions.read("a")).toEqual(session("a"));
  });

  test("is removed, also where its file is damaged", async () => {
    const { sessions, folder, file, add } = open();
    expect(await sessions.remove("a")).toBe(false);
    await add("a");
    writeFileSync(file("s-a.json"), "{");
    expect(await sessions.remove("A")).toBe(true);
    expect(dataFilesIn(folder)).toEqual([]);
  });

  test.each(["", "../x", "a b"])("of %j can't be", async (alias) => {
    const { sessions, folder } = open();
    await rejection("invalid_input", () => sessions.read(alias));
    await rejection("invalid_input", () => sessions.update(alias, () => Promise.resolve(undefined)));
    await rejection("invalid_input", () => sessions.remove(alias));
    await rejection("invalid_input", () => sessions.rename("a", alias));
    expect(dataFilesIn(folder)).toEqual([]);
  });
});

describe("a file that can't be used", () => {
  const secret = "hush-hush-token";
  const valid = JSON.stringify({ ...session("a"), api_key: secret });

  test.each<[string, string, string]>([
    ["empty", "", "damaged"],
    ["cut short", valid.slice(0, -20), "damaged"],
    ["not JSON, around a secret", `{"api_key": ${secret}}`, "damaged"],
    ["another thing", "[]", "damaged"],
    ["null", "null", "damaged"],
    ["a field missing", JSON.stringify({ ...session("a"), environment: undefined }), '"environment"'],
    ["a field of another type", valid.replace('"expires_at":1', '"expires_at":"x"'), '"tokens.expires_at"'],
    ["a newer version", valid.replace('"version":1', '"version":2'), "newer version"],
    ["another store's", JSON.stringify(session("b")), "another store"],
    ["an alias that can't be", JSON.stringify({ ...session("a"), store: "../a" }), "another store"],
  ])("%s: every way to it says so, none writes over it or tells its content", async (_, text, reason) => {
    const { sessions, file } = open();
    mkdirSync(path.dirname(file("s-a.json")));
    writeFileSync(file("s-a.json"), text, { mode: 0o600 });
    const list = async () => {
      const [found] = await sessions.list();
      if (found && "error" in found) throw found.error;
    };
    const ways = [
      () => sessions.read("a"),
      () => sessions.update("a", () => Promise.resolve(session("a"))),
      () => sessions.rename("a", "c"),
      list,
    ];
    for (const way of ways) {
      const error = await rejection("state_unusable", way);
      expect(error.message).toContain(file("s-a.json"));
      expect(error.message).toContain(reason);
      const told = `${error.message} ${error.hint ?? ""} ${String(error.cause)} ${error.stack ?? ""}`;
      expect(told).not.toContain(secret.slice(0, 6));
    }
    expect(readFileSync(file("s-a.json"), "utf8")).toBe(text);
  });

  test("is none in another layout, as an editor leaves it", async () => {
    const { sessions, file, add } = open();
    await add("a");
    const data: unknown = JSON.parse(readFileSync(file("s-a.json"), "utf8"));
    writeFileSync(file("s-a.json"), JSON.stringify(data, undefined, "\t"));
    expect(await sessions.read("a")).toEqual(session("a"));
  });

  test("readable by others: never read, never written over", async () => {
    const { sessions, file, add } = open();
    await add("a");
    chmodSync(file("s-a.json"), 0o644);
    const error = await rejection("state_unusable", () => sessions.read("a"));
    expect(error.hint).toBe(`Type: chmod 600 ${file("s-a.json")}`);
    await rejection("state_unusable", () => sessions.update("a", () => Promise.resolve(session("a", 9))));
    expect(readFileSync(file("s-a.json"), "utf8")).not.toContain("access-9");
  });

  test("a folder that is none", async () => {
    const { sessions, folder } = open();
    writeFileSync(path.join(folder, "sessions"), "");
    await rejection("state_unusable", () => sessions.list());
    await rejection("state_unusable", () => sessions.read("a"));
    await rejection("state_unusable", () => sessions.update("a", () => Promise.resolve(session("a"))));
    const inFile = openState(path.join(folder, "sessions")).sessions;
    await rejection("state_unusable", () => inFile.update("a", () => Promise.resolve(session("a"))));
    await rejection("state_unusable", () => inFile.rename("a", "b"));
  });
});

describe("the list", () => {
  test("is empty at first, then sorted; what can't be used is in it; what isn't ours isn't", async () => {
    const { sessions, file, add } = open();
    expect(await sessions.list()).toEqual([]);
    for (const store of ["zebra", "Ärger", "alpha", "Beta", "x.json"]) await add(store);
    writeFileSync(file("s-pra%c3%a7a.json"), "{", { mode: 0o600 });
    writeFileSync(file("notes.txt"), "mine");
    const list = await sessions.list();
    expect(list.map((found) => [found.store, "error" in found])).toEqual([
      ["alpha", false],
      ["Beta", false],
      ["praça", true],
      ["x.json", false],
      ["zebra", false],
      ["Ärger", false],
    ]);
  });
});

describe("renaming", () => {
  test("moves the session", async () => {
    const { sessions, folder, add } = open();
    await add("old");
    await sessions.rename("OLD", "Neu");
    expect(await sessions.read("old")).toBeUndefined();
    expect(await sessions.read("neu")).toEqual({ ...session("old"), store: "Neu" });
    expect(dataFilesIn(folder)).toEqual([path.join("sessions", "s-neu.json")]);
  });

  test("may change letter case alone", async () => {
    const { sessions, add } = open();
    await add("old");
    await sessions.rename("old", "Old");
    expect((await sessions.read("old"))?.store).toBe("Old");
  });

  test("refuses an alias that is taken, also by a file that can't be used, and an unknown store", async () => {
    const { sessions, file, add } = open();
    await add("a");
    await add("b");
    await rejection("invalid_input", () => sessions.rename("a", "B"));
    renameSync(file("s-b.json"), file("s-c.json"));
    await rejection("invalid_input", () => sessions.rename("a", "c"));
    await rejection("invalid_input", () => sessions.rename("nobody", "d"));
    expect(await sessions.read("a")).toEqual(session("a"));
  });

  test("two in opposite directions don't wait for each other", async () => {
    const { folder, add } = open();
    await add("a");
    await add("b");
    const [one, other] = [openState(folder).sessions, openState(folder).sessions];
    const results = await Promise.allSettled([one.rename("a", "b"), other.rename("b", "a")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
