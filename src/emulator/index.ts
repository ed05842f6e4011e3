/** The whole service of the specification on this machine, for people, scripts and tests. */
export { createApp, type EmulatorApp } from "./http/app.js";
export { createService, type ServiceOptions } from "./create-service.js";
export type { Fault } from "./http/faults/fault.js";
export { parseFault } from "./http/faults/fault.js";
export type {
  App,
  Driver,
  EmulatorClock,
  Grant,
  Installation,
  Person,
  Profile,
  Store,
} from "./domain/model.js";
export type { LogEntry } from "./http/request-log.js";
export { isRedirectTarget } from "./http/oauth/authorization-request.js";
export { startEmulator, type Emulator, type EmulatorOptions } from "./http/server.js";
export { authorizeAsOwner, signInStore, type SignedInStore } from "./sign-in.js";
export { scenes, type Scene } from "./inputs.js";
export type { World } from "./domain/world.js";
