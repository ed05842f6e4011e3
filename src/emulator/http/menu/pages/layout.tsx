/** What every page of the menu has around it. */
import type { Child } from "hono/jsx";

import { portalPaths } from "../../portal/paths.js";
import { menuStylesheet } from "../paths.js";

export function Layout({
  title,
  store,
  children,
}: {
  title: string;
  store?: string | undefined;
  children?: Child;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{store === undefined ? title : `${title} · ${store}`}</title>
        <link rel="stylesheet" href={portalPaths.stylesheet} />
        <link rel="stylesheet" href={menuStylesheet} />
        <link rel="icon" type="image/svg+xml" href={portalPaths.icon} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <span class="brand">
            <img src={portalPaths.icon} alt="" width="28" height="28" />
            <bdi>{store ?? "Digital menu"}</bdi>
          </span>
          <span class="badge">Emulator</span>
        </header>
        <main id="content" class="menu">
          {children}
        </main>
        <footer class="foot">
          The comanda emulator, on this machine only. Nothing that is shown here can be bought.
        </footer>
      </body>
    </html>
  );
}
