export type { State } from "../state/state.js";
