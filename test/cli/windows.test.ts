/** What is different on Windows, held by a fake platform and `path.win32`. */
import path from "node:path";

import { describe, expect, test } from "vitest";

import { configFolder } from "../../src/state/private-file.js";

describe("the folders", () => {
  const home = () => String.raw`C:\Users\José`;

  test.each([
    [{}, String.raw`C:\Users\José\AppData\Roaming\comanda\Config`],
    [{ APPDATA: String.raw`D:\Roaming` }, String.raw`D:\Roaming\comanda\Config`],
    [{ COMANDA_CONFIG_DIR: String.raw`E:\shop` }, String.raw`E:\shop`],
  ])("settings of %j", (env, folder) => {
    expect(configFolder(env, "win32", home, path.win32)?.replace(/\\$/, "")).toBe(folder);
  });

  test("macOS and Linux have theirs, and a user may have no home", () => {
    const ana = () => "/home/ana";
    expect(configFolder({}, "darwin", ana)).toBe("/home/ana/Library/Preferences/comanda");
    expect(configFolder({}, "linux", ana)).toBe("/home/ana/.config/comanda");
    expect(configFolder({ XDG_CONFIG_HOME: "/x" }, "linux", ana)).toBe("/x/comanda");
    expect(configFolder({ COMANDA_CONFIG_DIR: "x" }, "linux", ana)).toBe(path.resolve("x"));
    const homeless = () => {
      throw new Error("ENOENT");
    };
    expect(configFolder({}, "linux", homeless)).toBeUndefined();
  });
});
