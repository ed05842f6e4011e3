/** What is different on Windows, held by a fake platform and `path.win32`. */
import path from "node:path";

import { describe, expect, test } from "vitest";

import { runLine } from "../../src/cli/program.js";
import { withSystemQuotes } from "../../src/state/shell-word.js";
import { configFolder } from "../../src/state/config-folder.js";
import { Sink, testContext } from "../support/context.js";

describe("the folders", () => {
  const windows = { platform: "win32", home: () => String.raw`C:\Users\José`, path: path.win32 };

  test.each([
    [{}, String.raw`C:\Users\José\AppData\Roaming\comanda\Config`],
    [{ APPDATA: String.raw`D:\Roaming` }, String.raw`D:\Roaming\comanda\Config`],
    [{ APPDATA: "relative" }, String.raw`C:\Users\José\AppData\Roaming\comanda\Config`],
    [{ XDG_CONFIG_HOME: "/x" }, String.raw`C:\Users\José\AppData\Roaming\comanda\Config`],
    [{ COMANDA_CONFIG_DIR: String.raw`E:\shop` }, String.raw`E:\shop`],
    [{ COMANDA_CONFIG_DIR: String.raw`\\server\share\shop` }, String.raw`\\server\share\shop`],
  ])("settings of %j", (env, folder) => {
    expect(configFolder(env, windows)?.replace(/\\$/, "")).toBe(folder);
  });

  test("macOS and Linux have theirs, and a user may have no home", () => {
    const on = (platform: string) => ({ platform, home: () => "/home/ana", path: path.posix });
    expect(configFolder({}, on("darwin"))).toBe("/home/ana/Library/Preferences/comanda");
    expect(configFolder({}, on("linux"))).toBe("/home/ana/.config/comanda");
    const homeless = () => {
      throw new Error("ENOENT");
    };
    expect(configFolder({}, { ...on("linux"), home: homeless })).toBeUndefined();
  });
});

describe("a command line in a help or a hint", () => {
  const help = "  $ comanda summary --filter 'total>=50' --alert 'orders<-95%'";

  test("is quoted as cmd and PowerShell both read it: nothing in it is a redirection", () => {
    expect(withSystemQuotes(help, "win32")).toBe(
      '  $ comanda summary --filter "total>=50" --alert "orders<-95%"',
    );
    expect(withSystemQuotes("for example 'status=closed' or 'total>=50'.", "win32")).toBe(
      'for example "status=closed" or "total>=50".',
    );
    expect(withSystemQuotes("--auth-url 'https://a.example/authorize?x=1&y=2'", "win32")).toBe(
      '--auth-url "https://a.example/authorize?x=1&y=2"',
    );
  });

  test("stays as it is elsewhere", () => {
    for (const platform of ["linux", "darwin"]) expect(withSystemQuotes(help, platform)).toBe(help);
  });

  test.each(["the stores' own days aren't the service's", `-f 'a=.[] | select(.a == "b")'`])(
    "is all that changes: %s",
    (text) => expect(withSystemQuotes(text, "win32")).toBe(text),
  );

  test("is in the help of every command and topic, and in every hint", async () => {
    const [stdout, stderr] = [new Sink(), new Sink()];
    // Without getuid, as there.
    const onWindows = testContext({ stdout, stderr, host: { ...process, platform: "win32" } });
    expect(await runLine(onWindows, ["help", "filters"])).toBe(0);
    expect(await runLine(onWindows, ["summary", "--help"])).toBe(0);
    expect(await runLine(onWindows, ["summary", "--alert", "x"])).toBe(2);
    expect(stdout.text).toContain('--filter "total>=50"');
    expect(stdout.text).not.toMatch(/ '[^' ]*[<>]/);
    expect(stderr.text).toContain('"revenue<1500"');
  });
});
