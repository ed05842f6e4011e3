/** The pages that a browser is shown at the redirect address. Static: nothing of the request is in them. */
import { createHash } from "node:crypto";

import { currentLanguage, translated } from "../shared/language.js";

export type PageName = keyof typeof texts;

/** A title and a sentence or two each. */
const texts = {
  signed_in: ["You are signed in", "comanda can now work for the store. You can close this page."],
  access_denied: [
    "Access was not given",
    "It was refused at the portal, or asked of somebody who isn't the store's Owner. Nothing was stored. You can close this page.",
  ],
  failed: [
    "The sign-in did not succeed",
    "Nothing was stored. The terminal that you started it from says why. You can close this page.",
  ],
  unrelated: [
    "This is not the answer to a sign-in",
    "Nothing was changed. If you are signing in, go on in the page that comanda opened.",
  ],
  not_found: ["Nothing is here", "This address only takes the answer to a sign-in."],
  already_answered: ["This sign-in was answered already", "Nothing was changed. You can close this page."],
} as const;

const style = `
:root { color-scheme: light dark; --ink: #1d2125; --soft: #596069; --paper: #f4f2ee; --card: #fff; --line: #ddd8d0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceae6; --soft: #a9adb2; --paper: #17191b; --card: #202326; --line: #33373b }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif }
main { max-width: 27rem; padding: 2.25rem 2.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem }
p { margin: 0; color: var(--soft) }
p.name { font-size: .8125rem; font-weight: 600; letter-spacing: .04em }
h1 { margin: .5rem 0 .75rem; font-size: 1.5rem; line-height: 1.25 }
`;

/** The page's HTML. */
export function callbackPage(name: PageName): string {
  const [title, text] = texts[name].map(translated);
  return `<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · comanda</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="name">comanda</p>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
}

/** The headers of every answer: nothing is loaded, kept, framed or told to another site. */
export function pageHeaders(): Record<string, string> {
  // The one style sheet above is named by its hash, so nothing else can style the page, let alone run in it.
  const hash = createHash("sha256").update(style).digest("base64");
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  };
}
