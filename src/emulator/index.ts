/** The whole service of the specification on this machine, for people, scripts and tests. */
export { createApp, type EmulatorApp } from "./app.js";
export { createService, type ServiceOptions } from "./create-service.js";
export type { Fault } from "./faults/fault.js";
export { parseFault } from "./faults/parse-fault.js";
export type { App, Driver, EmulatorClock, Grant, Installation, Person, Profile, Store } from "./model.js";
export type { LogEntry } from "./request-log.js";
export { isRedirectTarget } from "./oauth/redirect-target.js";
export { authorizeAsOwner } from "./portal/scripted-owner.js";
export { startEmulator, type Emulator, type EmulatorOptions } from "./server.js";
export { signInStore, type SignedInStore } from "./sign-in.js";
export type { World } from "./world.js";
