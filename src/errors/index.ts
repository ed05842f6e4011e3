export { exitCodeOf, exitCodes, type ErrorCode } from "./codes.js";
export { ComandaError, type ErrorOptions, type ServiceAnswer } from "./comanda-error.js";
export { shareInstances } from "./share-instances.js";
