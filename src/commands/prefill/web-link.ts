import { ComandaError } from "../../errors/index.js";

/**
 * A link of the service's that may be opened or drawn: nothing but a web page. What else could stand there, a
 * browser or a desktop would hand to any program.
 *
 * @throws {ComandaError} `unexpected_answer`
 */
export function webLink(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "https:" || parsed?.protocol === "http:") return parsed.href;
  throw new ComandaError("unexpected_answer", "The service's link is no web address, so it is not used.", {
    hint: "The pre-filled order itself is made.",
  });
}
