/** The whole service of the specification on this machine, for people, scripts and tests. */
export type { World } from "./domain/world.js";
export { readFault, type Fault } from "./http/faults.js";
export { startEmulator, type Emulator, type EmulatorOptions } from "./http/server.js";
export { authorizeAsOwner, signInStore } from "./sign-in.js";
export type { Scene } from "./inputs.js";
