/** Reads the forms out of a page of the portal. It knows those pages, not HTML as a whole. */

export interface Choice {
  readonly name: string;
  readonly value: string;
  /** The `data-` attributes, without that prefix. */
  readonly data: Readonly<Record<string, string>>;
}

export interface Form {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  /** Radio buttons. */
  readonly choices: readonly Choice[];
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

export function parseForms(html: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", inside = ""]) => {
    const inputs = [...inside.matchAll(/<input\b([^>]*)>/g)].map(([, text = ""]) => attributes(text));
    const buttons = [...inside.matchAll(/<button\b([^>]*)>/g)].map(([, text = ""]) => attributes(text));
    return {
      action: attributes(head)["action"] ?? "",
      hidden: Object.fromEntries(
        inputs.filter(({ type }) => type === "hidden").map(({ name = "", value = "" }) => [name, value]),
      ),
      choices: inputs.filter(({ type }) => type === "radio").map(choice),
      buttons: buttons.map(({ name = "", value = "" }) => ({ name, value })),
    };
  });
}

/** The text of a piece of HTML, on one line. */
export function textOf(html: string): string {
  return unescape(html.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

function choice(input: Record<string, string>): Choice {
  const data = Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      name.startsWith("data-") ? [[name.slice("data-".length), value] as const] : [],
    ),
  );
  return { name: input["name"] ?? "", value: input["value"] ?? "", data };
}

/** In the portal's pages every value is in double quotes, and `>` in one is escaped. */
function attributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, unescape(value)]),
  );
}

function unescape(text: string): string {
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => characters[name] ?? whole);
}
