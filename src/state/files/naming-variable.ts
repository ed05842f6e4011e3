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
    read: (...given) => naming(() => files.read(...given)),
    write: (...given) => {
      naming(() => {
        files.write(...given);
      });
    },
    reserve: (...given) => naming(() => files.reserve(...given)),
    remove: (...given) => naming(() => files.remove(...given)),
    move: (...given) => {
      naming(() => {
        files.move(...given);
      });
    },
    prepare: (...given) => {
      naming(() => {
        files.prepare(...given);
      });
    },
    isThere: (...given) => naming(() => files.isThere(...given)),
    sweep: (...given) => naming(() => files.sweep(...given)),
  };
}

function named(error: unknown, variable: string): unknown {
  if (!(error instanceof ComandaError) || error.hint?.includes(usualVariable) !== true) return error;
  const { code, message, hint, cause } = error;
  return new ComandaError(code, message, { hint: hint.replaceAll(usualVariable, variable), cause });
}
