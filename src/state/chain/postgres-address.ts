/**
 * The address of a chain's database: `postgres://user:password@host:port/database`, as COMANDA_STATE has it. No message
 * quotes what was typed, which may hold a password in any place.
 */
import { ComandaError } from "../../client/errors.js";
import { t } from "../../languages/language.js";
import { isLoopbackHost } from "../../api/loopback.js";

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
  const address = addressIn(text);
  if (address === undefined) {
    throw new ComandaError(
      "configuration",
      t`${source} is not an address of PostgreSQL that comanda takes.`,
      {
        hint: t`For example: postgres://comanda_run:password@db.example:5432/comanda. In the password, "@", "/", "?", "#" and "%" are written as %40, %2F, %3F, %23 and %25. Of options it takes ${takenOptions.join(", ")}.`,
      },
    );
  }
  const { host, port, database, user, sslmode } = address;
  const isLocal = host.startsWith("/") || isLoopbackHost(host);
  const isWeak = sslmode !== undefined && weakModes.includes(sslmode);
  if (isWeak && !isLocal) {
    throw new ComandaError(
      "configuration",
      t`${source} asks for sslmode=${sslmode}, by which others could read the sign-ins on their way.`,
      { hint: t`Leave sslmode out. An authority of your own is named by NODE_EXTRA_CA_CERTS.` },
    );
  }
  const inUrl = host.includes(":") ? `[${host}]` : host.startsWith("/") ? "" : host;
  const named = user === undefined ? "" : `${encodeURIComponent(user)}@`;
  return {
    ...address,
    source,
    place: `postgres://${named}${inUrl}:${port}/${database}`,
    isVerified: sslmode === undefined ? !isLocal : !isWeak,
  };
}

/** @returns `undefined` for what isn't an address, or has an option that isn't taken */
function addressIn(text: string) {
  // A password with a "/", "?" or "#" that isn't encoded ends the host's part too early.
  if (!/^postgres(?:ql)?:\/\/[^/?#]*\/[^/?#@]+(?:\?[^#@]*)?$/i.test(text) || /[\s\p{Cc}]/u.test(text))
    return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const options = new Map(url.searchParams);
  if ([...options.keys()].some((name) => !takenOptions.includes(name))) return undefined;
  const [socket, sslmode] = [options.get("host"), options.get("sslmode")];
  if (sslmode !== undefined && ![...verifiedModes, ...weakModes].includes(sslmode)) return undefined;
  // An option names the folder of a socket, and no other host.
  if ((url.hostname === "") !== (socket?.startsWith("/") ?? false)) return undefined;
  if (url.hostname !== "" && socket !== undefined) return undefined;
  try {
    return {
      host: socket ?? url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(url.port || usualPort),
      database: decodeURIComponent(url.pathname.slice(1)),
      user: decodeURIComponent(url.username) || options.get("user"),
      password: decodeURIComponent(url.password) || options.get("password"),
      sslmode,
    };
  } catch {
    return undefined;
  }
}
