/**
 * The address of a chain's database: `postgres://user:password@host:port/database`, as COMANDA_STATE has it. No message
 * quotes what was typed, which may hold a password in any place.
 */
import { ComandaError } from "../shared/errors.js";
import { t } from "../shared/language.js";
import { isLoopbackHost } from "../shared/loopback.js";

export interface PostgresAddress {
  /** The variable or the setting that it comes from, for messages: `COMANDA_STATE`. */
  readonly source: string;
  /** The address without its password, for messages. */
  readonly place: string;
  /** A name, an IP, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Where it is absent, the driver takes PGUSER, or the name of the system's user. */
  readonly user: string | undefined;
  /** Where it is absent, the driver takes PGPASSWORD, or what ~/.pgpass says. */
  readonly password: string | undefined;
  /** Is the connection encrypted, and the server's certificate and name verified? */
  readonly isVerified: boolean;
}

const usualPort = 5432;
const takenOptions: readonly string[] = ["host", "user", "password", "sslmode"];
/** These promise at most what is done anyway: the certificate is verified, and the name in it. */
const verifiedModes: readonly string[] = ["require", "verify-ca", "verify-full"];
const weakModes: readonly string[] = ["disable", "allow", "prefer", "no-verify"];

/**
 * @param source what the address comes from, for messages: `COMANDA_STATE`, or the setting `state`
 * @throws {ComandaError} `configuration`
 */
export function parsePostgresAddress(text: string, source = "COMANDA_STATE"): PostgresAddress {
  const url = parsedUrl(text);
  // A password with a "/", "?" or "#" that isn't encoded ends the host's part too early.
  if (url === undefined || `${url.pathname}${url.search}${url.hash}`.includes("@") || url.hash !== "") {
    throw unusable(source, t`is not an address of PostgreSQL`);
  }
  const options = optionsOf(url, source);
  const socket = options.get("host");
  const host = url.hostname === "" ? (socket ?? "") : url.hostname.replace(/^\[(.*)\]$/, "$1");
  const database = decoded(url.pathname.slice(1), source);
  if (database === "" || database.includes("/")) throw unusable(source, t`names no database`);
  if (host === "") throw unusable(source, t`names no host`);
  if (socket !== undefined && (url.hostname !== "" || !socket.startsWith("/")))
    throw unusable(source, t`has a "host" that is not the folder of a socket`);
  const isLocal = host.startsWith("/") || isLoopbackHost(host);
  const user = decoded(url.username, source) || options.get("user");
  const port = Number(url.port || usualPort);
  const inUrl = host.includes(":") ? `[${host}]` : host.startsWith("/") ? "" : host;
  const named = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return {
    source,
    place: `postgres://${named}${inUrl}:${port}/${database}`,
    ...{ host, port, database, user },
    password: decoded(url.password, source) || options.get("password"),
    isVerified: mode(options.get("sslmode"), isLocal, source),
  };
}

function mode(sslmode: string | undefined, isLocal: boolean, source: string): boolean {
  if (sslmode === undefined) return !isLocal;
  if (verifiedModes.includes(sslmode)) return true;
  if (!weakModes.includes(sslmode)) throw unusable(source, t`has an "sslmode" that PostgreSQL doesn't know`);
  if (isLocal) return false;
  throw new ComandaError(
    "configuration",
    t`${source} asks for sslmode=${sslmode}, by which others could read the sign-ins on their way.`,
    { hint: t`Leave sslmode out. An authority of your own is named by NODE_EXTRA_CA_CERTS.` },
  );
}

function parsedUrl(text: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\//i.test(text) || /[\s\p{Cc}]/u.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function optionsOf(url: URL, source: string): ReadonlyMap<string, string> {
  const options = [...url.searchParams];
  const foreign = options.map(([name]) => name).find((name) => !takenOptions.includes(name));
  if (foreign === undefined) return new Map(options);
  throw unusable(source, t`has an option that comanda doesn't take`);
}

function decoded(text: string, source: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable(source, t`is not an address of PostgreSQL`);
  }
}

function unusable(source: string, reason: string): ComandaError {
  return new ComandaError("configuration", t`${source} ${reason}.`, {
    hint: t`For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, "@", "/", "?", "#" and "%" are written as %40, %2F, %3F, %23 and %25. Of options it takes ${takenOptions.join(", ")}.`,
  });
}
