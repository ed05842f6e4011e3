/** Turns PostgreSQL's errors into messages that name the server and the way out. */
import { ComandaError, systemErrorCode } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import type { PostgresAddress } from "./postgres-address.js";

/** The server's own codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codes = {
  lockNotAvailable: "55P03",
  wrongPassword: "28P01",
  noAccess: "28000",
  noRight: "42501",
  noDatabase: "3D000",
  noConnectionLeft: "53300",
} as const;

/** A duplicate schema, table, or row of the catalogue. */
const thereCodes: readonly string[] = ["42P06", "42P07", "23505"];

/** The server is stopped, or starts, has no connection left, or the connection was ended. */
const lostCodes = /^(?:57P0[123]|53300|08\w{3}|ECONNRESET|ECONNREFUSED|EPIPE|ENOENT|ETIMEDOUT)$/;
/** The driver's own words, which come without a code. */
const lostWords = /^(?:Connection terminated|Client has encountered a connection error|timeout expired)/;
/** Node's codes for a certificate that isn't accepted. */
const certificateCodes = /^(?:ERR_TLS_\w+|\w*CERT\w*|UNABLE_TO_\w+)$/;

/** @returns what the work does; its failure as one that names the database */
export async function asPostgresError<Result>(
  address: PostgresAddress,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw named(error, address);
  }
}

/** Is there no connection, so that the same may go well in a moment? What was sent over it may have been done. */
export function isLost(error: unknown): boolean {
  if (error instanceof ComandaError) return error.cause !== undefined && isLost(error.cause);
  if (!(error instanceof Error)) return false;
  return lostCodes.test(systemErrorCode(error) ?? "") || lostWords.test(error.message);
}

/** Is what was to be made there already, as another process has made it in the same moment? */
export function isThere(error: unknown): boolean {
  const cause = error instanceof ComandaError ? error.cause : error;
  return thereCodes.includes(systemErrorCode(cause) ?? "");
}

export function mayNot(error: unknown): boolean {
  const cause = error instanceof ComandaError ? error.cause : error;
  return systemErrorCode(cause) === codes.noRight;
}

function named(error: unknown, { place, source }: PostgresAddress): unknown {
  if (error instanceof ComandaError || !(error instanceof Error)) return error;
  const code = systemErrorCode(error) ?? "";
  if (code === codes.lockNotAvailable) {
    return new ComandaError("lock_timeout", t`Another process is writing to ${place} for too long.`, {
      hint: t`Run the command again when the other one has ended.`,
      cause: error,
    });
  }
  return new ComandaError("state_unusable", t`${place} can't be used: ${wordsOf(error)}`, {
    hint: hintFor(code, error, source),
    cause: error,
  });
}

/** Gives an error's words. Node's error for several addresses has none of its own. */
function wordsOf(error: Error): string {
  const words = error instanceof AggregateError ? String(error.errors[0]) : error.message;
  return /[.!]$/.test(words) ? words : `${words}.`;
}

function hintFor(code: string, error: Error, source: string): string {
  if (code === codes.wrongPassword || code === codes.noAccess)
    return t`Check the user and the password in ${source}, and what pg_hba.conf lets in.`;
  if (code === codes.noDatabase) return t`Make the database, or name the one that is there in ${source}.`;
  if (code === codes.noConnectionLeft)
    return t`Let fewer machines run at a time, or raise the server's max_connections.`;
  if (code === codes.noRight) return t`\`comanda help chain\` names the roles and what each may do.`;
  if (certificateCodes.test(code) || error.message.includes("SSL"))
    return t`The server's certificate is verified unless the address is of this machine. NODE_EXTRA_CA_CERTS names an authority of your own.`;
  return t`Check the address in ${source}, and whether the server runs and lets you in.`;
}
