/** Colours are for terminals, or for people who ask for them. */

type Paint = (text: string) => string;

export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow", Paint>>;

/** The meaning of a colour. The text has to say the same, since not everybody sees colours. */
export type Tone = "good" | "bad" | "doubtful" | "quiet";

export function paint(style: Style, tone: Tone): Paint {
  return { good: style.green, bad: style.red, doubtful: style.yellow, quiet: style.dim }[tone];
}

export const plainStyle: Style = { bold: String, dim: String, red: String, green: String, yellow: String };

/** chalk is loaded only where there is something to paint. */
export async function createStyle(colors: boolean): Promise<Style> {
  return colors ? new (await import("chalk")).Chalk({ level: 1 }) : plainStyle;
}

/** `auto` leaves the choice to the stream and the environment. */
export type ColorChoice = "auto" | "never";

/** A typed option goes before the environment, in which FORCE_COLOR asks for colours, and NO_COLOR for none. */
export function wantsColors(
  stream: { readonly isTTY?: boolean | undefined },
  { FORCE_COLOR: forced, NO_COLOR: none }: Readonly<Record<string, string | undefined>>,
  choice: ColorChoice,
): boolean {
  if (choice === "never") return false;
  return forced ? forced !== "0" && forced !== "false" : stream.isTTY === true && !none;
}
