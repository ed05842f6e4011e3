/** The way of a pre-filled order from what was given to its links. */
import { ComandaError } from "../../errors/index.js";
import type { Invocation } from "../leaf.js";
import { openConnection, type Connection } from "../connection.js";
import { faultLine, type Fault } from "./fault.js";
import { hasOrderFlags, readFlags, type OrderFlags } from "./flags.js";
import { gatherLines, gatherOrder, type GatheredOrder } from "./gather-orders.js";
import type { QrTarget } from "./qr-output.js";
import { holdsLines, readOrderFile } from "./order-file.js";

export interface PrefillOptions extends OrderFlags {
  readonly lines?: boolean;
  readonly open?: boolean;
  readonly qr?: boolean;
  readonly qrFile?: readonly string[];
}

/** @param file `-` stands for stdin; absent where the flags say it all */
export async function runPrefill(
  invocation: Invocation,
  options: PrefillOptions,
  file: string | undefined,
): Promise<void> {
  const many = options.lines ?? (file !== undefined && holdsLines(file));
  refuseContradictions(options, file, many);
  const qrTargets = await checkQrFiles(options.qrFile ?? []);
  const orders = await gather(invocation, options, file, many);

  const connection = await openConnection(invocation, "login --api-key");
  try {
    await send(invocation, connection, orders, async () => {
      const [first] = orders;
      if (many || !first) {
        const { createMany } = await import("./create-many.js");
        await createMany(invocation, connection.client, orders);
        return;
      }
      const { createOne } = await import("./create-one.js");
      const { open = false, qr = false } = options;
      await createOne(invocation, connection.client, first.order, { open, qr, qrTargets });
    });
  } finally {
    await connection.close();
  }
}

async function checkQrFiles(files: readonly string[]): Promise<readonly QrTarget[]> {
  if (files.length === 0) return [];
  const { checkQrFile } = await import("./qr-output.js");
  return Promise.all(files.map(checkQrFile));
}

function refuseContradictions(options: PrefillOptions, file: string | undefined, many: boolean): void {
  if (file === undefined && !hasOrderFlags(options)) {
    throw new ComandaError("usage", "Which order? Give a file, or say with flags what is in it.", {
      hint: "A complete file to start from: comanda prefill --example\nOr with flags: comanda prefill --order-type takeout --item 3002x2",
    });
  }
  if (file === undefined && many) {
    throw new ComandaError("usage", "--lines is about a file, and there is none.", {
      hint: 'Name the file, or "-" for stdin.',
    });
  }
  if (many && (options.open || options.qr || options.qrFile !== undefined)) {
    throw new ComandaError("usage", "--open, --qr and --qr-file are for one order, not for many.", {
      hint: "The links of each order are in the output.",
    });
  }
}

async function gather(
  { context, output }: Invocation,
  options: PrefillOptions,
  file: string | undefined,
  many: boolean,
): Promise<readonly GatheredOrder[]> {
  const flags = readFlags(options);
  const warn = (field: Fault) => {
    output.warn(faultLine(field));
  };
  if (file === undefined) return gatherOrder(undefined, flags, warn);
  const source = await readOrderFile(file, context, many);
  return many ? gatherLines(source, flags, warn) : gatherOrder(source, flags, warn);
}

/** Shows the requests instead, with `--dry-run`. */
async function send(
  { globals, output }: Invocation,
  { client, available }: Connection,
  orders: readonly GatheredOrder[],
  work: () => Promise<void>,
): Promise<void> {
  const describe = ({ order }: GatheredOrder) =>
    client.describeRequest("createPrefilledOrder", order, available);
  if (globals.dryRun) {
    const { showRequests } = await import("../dry-run.js");
    showRequests(output, orders.map(describe));
    return;
  }
  // Without the key this fails once, before the first of many.
  orders.slice(0, 1).forEach(describe);
  await work();
}
