/** Colours are for terminals, or for people who ask for them. */

type Paint = (text: string) => string;

export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow", Paint>>;

/** The meaning of a colour. The text has to say the same, since not everybody sees colours. */
export type Tone = "good" | "bad" | "doubtful" | "quiet";

export function paint(style: Style, tone: Tone): Paint {
  return { good: style.green, bad: style.red, doubtful: style.yellow, quiet: style.dim }[tone];
}

const asItIs: Paint = (text) => text;

export const plainStyle: Style = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };

/** chalk is loaded only where there is something to paint. */
export async function createStyle(colors: boolean): Promise<Style> {
  if (!colors) return plainStyle;
  const { Chalk } = await import("chalk");
  return new Chalk({ level: 1 });
}

/** `auto` leaves the choice to the stream and the environment. */
export type ColorChoice = "auto" | "never";

/**
 * A terminal gets colours unless `TERM` calls it dumb. A typed option goes before the environment, in which `FORCE_COLOR`
 * asks for colours, and `NO_COLOR` (any value but an empty one) for none.
 */
export function wantsColors(
  stream: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
  choice: ColorChoice,
): boolean {
  if (choice === "never") return false;
  const forced = env["FORCE_COLOR"];
  if (forced) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}
