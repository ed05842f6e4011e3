import type { Context } from "hono";

import { document } from "./pages/document.js";
import { MessagePage } from "./pages/error-page.js";
import type { Portal } from "./portal.js";

/** For a form of another session: one left open for long, or one that another site made up. */
export function staleFormPage(c: Context, { visitors }: Portal, back: string) {
  return c.html(
    document(
      <MessagePage
        title="This page was open for too long"
        message="Nothing was changed. Open the page again and repeat what you wanted to do."
        visitor={visitors.of(c)}
        link={{ href: back, text: "Open the page again" }}
      />,
    ),
    403,
  );
}
