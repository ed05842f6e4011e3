/** Files of a folder that another variable moves: hints name that one. */
import { ComandaError } from "../../shared/errors.js";
import type { PrivateFiles } from "./private-file.js";

/** What the hints name where nothing else is said. */
export const usualVariable = "COMANDA_CONFIG_DIR";

/** @param variable what moves the folder, for example `COMANDA_DATA_DIR` */
export function namingVariable(files: PrivateFiles, variable: string): PrivateFiles {
  const naming = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw named(error, variable);
    }
  };
  return {
    ...files,
    read: (...args) => naming(() => files.read(...args)),
    write: (...args) => {
      naming(() => {
        files.write(...args);
      });
    },
    reserve: (...args) => naming(() => files.reserve(...args)),
    remove: (...args) => naming(() => files.remove(...args)),
    move: (...args) => {
      naming(() => {
        files.move(...args);
      });
    },
    prepare: (...args) => {
      naming(() => {
        files.prepare(...args);
      });
    },
    isThere: (...args) => naming(() => files.isThere(...args)),
    sweep: (...args) => naming(() => files.sweep(...args)),
  };
}

function named(error: unknown, variable: string): unknown {
  if (!(error instanceof ComandaError) || error.hint?.includes(usualVariable) !== true) return error;
  const { code, message, hint, cause } = error;
  return new ComandaError(code, message, { hint: hint.replaceAll(usualVariable, variable), cause });
}
