/** Shows a long text by the person's pager. */
import { spawn } from "node:child_process";

/**
 * Resolves when the pager has ended. Where it can't be run, the text is written to stdout.
 *
 * @param command a shell's command line, as in `PAGER`
 */
export async function runPager(command: string, text: string): Promise<void> {
  const pager = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    // git sets the same: less ends at once with a text that fits, shows colours, and leaves the text on the screen.
    env: { LESS: "FRX", ...process.env },
  });
  const exit = new Promise<number | null>((resolve) => {
    pager.on("error", () => resolve(127)).on("close", resolve);
  });
  // A person who leaves the pager early closes the pipe.
  pager.stdin.on("error", () => undefined);
  pager.stdin.end(text);
  const code = await exit;
  const isMissing = code === 126 || code === 127;
  if (isMissing) process.stdout.write(text);
}
