/** Opens what calls need, which is loaded only then, and closes it when the work is over. */
import type { Transport } from "../client/transport.js";

import type { Connection, ConnectionOptions } from "./connection.js";
import type { Context } from "../cli/context.js";

/** @throws {ComandaError} as `openConnection`, and what the work throws */
export async function withConnection<Result>(
  context: Context,
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { openConnection } = await import("./connection.js");
  const connection = await openConnection(context, options);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/**
 * Gives the network alone, to work that concerns no store or makes no call of the API.
 *
 * @param baseUrl the calls' address, if that is known
 * @throws {ComandaError} as `openTransport`, and what the work throws
 */
export async function withTransport<Result>(
  context: Context,
  baseUrl: string | undefined,
  work: (transport: Transport) => Promise<Result>,
): Promise<Result> {
  const { openTransport } = await import("./connection.js");
  const transport = openTransport(context, baseUrl);
  try {
    return await work(transport);
  } finally {
    await transport.close();
  }
}
