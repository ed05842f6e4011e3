/** The settings folder of each platform. Windows is simulated with `path.win32`. */
import path from "node:path";

import { describe, expect, test } from "vitest";

import { configFolder } from "../../src/state/private-file.js";

describe("The settings folder", () => {
  const home = () => String.raw`C:\Users\José`;

  test.each([
    [{}, String.raw`C:\Users\José\AppData\Roaming\comanda\Config`],
    [{ APPDATA: String.raw`D:\Roaming` }, String.raw`D:\Roaming\comanda\Config`],
    [{ COMANDA_CONFIG_DIR: String.raw`E:\shop` }, String.raw`E:\shop`],
  ])("on Windows with the variables %j is %s", (env, folder) => {
    expect(configFolder(env, "win32", home, path.win32)?.replace(/\\$/, "")).toBe(folder);
  });

  test("follows the conventions of macOS and Linux, and is undefined without a home folder", () => {
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
