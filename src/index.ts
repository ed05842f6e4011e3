/** comanda as a library. */
export { ComandaError, exitCodes, type ErrorCode, type ServiceAnswer } from "./errors/index.js";
