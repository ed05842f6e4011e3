/**
 * What no journal does without: for each group of orders that go out together, one write of their lines, brought to the
 * disk while the program goes on, and one of what became of them. Prints nothing.
 */
import { closeSync, fdatasync, openSync, writeSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";

async function main([file = "", orders = "", atOnce = ""]: readonly string[]): Promise<void> {
  const toDisk = promisify(fdatasync);
  const descriptor = openSync(file, "a", 0o600);
  const [count, size] = [Number(orders), Number(atOnce)];
  for (let first = 0; first < count; first += size) {
    const ids = Array.from({ length: size }, (_, index) => `"${100_000 + first + index}"`).join(",");
    writeSync(descriptor, `\t{${stamp()},"type":"orders_sent","orders":[${ids}],"attempt":1}\n`);
    await toDisk(descriptor);
    writeSync(descriptor, `\t{${stamp()},"type":"orders_outcome","orders":[${ids}],"outcome":"done"}\n`);
  }
  closeSync(descriptor);
}

function stamp(): string {
  return `"v":1,"at":"${new Date().toISOString()}","run":"20261122-abcdef"`;
}

void main(process.argv.slice(2));
