export type { State } from "../state/open-state.js";
