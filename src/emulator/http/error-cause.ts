/** The cause of an answer 500, for the person who runs the emulator. What was sent must not be in it. */

/** Longer than any word of an error's message needs to be; every token, code, verifier and key is longer. */
const secretLength = 24;
const secretLike = new RegExp(String.raw`[\w.~+/=-]{${secretLength},}`, "g");
const longestMessage = 300;
const framesKept = 5;

/** Kind and message of the error, and where it came from, on one line. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return `A value that is no error was thrown: ${typeof error}`;
  const message = error.message.replaceAll(secretLike, "…").replaceAll(/\s+/g, " ").slice(0, longestMessage);
  const lines = (error.stack ?? "").split("\n").map((line) => line.trim());
  const frames = lines.filter((line) => line.startsWith("at ")).slice(0, framesKept);
  return [`${error.name}: ${message}`, ...frames].join("; ");
}
