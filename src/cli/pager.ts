/** Shows a long text by the program that a person reads long texts with. */
import { spawn } from "node:child_process";

/**
 * @param command a command line of the shell's, as `PAGER` has it
 * @returns when the pager has ended; where it can't be run the text is written as any other
 */
export async function runPager(command: string, text: string): Promise<void> {
  const pager = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
    // As git does: less ends at once with what fits, shows colours, and leaves the text on the screen.
    env: { LESS: "FRX", ...process.env },
  });
  const ended = new Promise<number | null>((resolve) => {
    pager.on("error", () => resolve(127)).on("close", resolve);
  });
  // A pager that is left before its end has closed the pipe.
  pager.stdin.on("error", () => undefined);
  pager.stdin.end(text);
  const code = await ended;
  const isMissing = code === 126 || code === 127;
  if (isMissing) process.stdout.write(text);
}
