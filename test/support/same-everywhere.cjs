/** Loaded before the program: its clock stands still at STOPPED_CLOCK, milliseconds since the epoch, and its user is ana. */
const os = require("node:os");

Object.assign(os, {
  userInfo: () => ({ username: "ana", uid: 1000, gid: 1000, shell: "/bin/sh", homedir: "/home/ana" }),
});
const instant = Number(process.env["STOPPED_CLOCK"]);

Date.now = () => instant;
process.hrtime.bigint = () => 0n;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [instant] : given, self),
});
