/** What lies in a folder, to tell whether a command changed anything, and to search it for secrets. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** Every file below `folder`, as paths relative to it, sorted. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => lstatSync(path.join(folder, name)).isFile())
    .sort();
}

/** Each file with its mode and a digest of its content. */
export function snapshot(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesIn(folder).map((name) => {
      const file = path.join(folder, name);
      const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
      return [name, `${(lstatSync(file).mode & 0o777).toString(8)} ${digest}`];
    }),
  );
}
