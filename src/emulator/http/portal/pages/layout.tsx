/** What every page of the portal has around it. */
import type { Child } from "hono/jsx";

import type { Person } from "../../../domain/model.js";
import { portalPaths } from "../paths.js";

/** Who is looking at a page, and the token that its forms carry. */
export interface Visitor {
  readonly person?: Person | undefined;
  readonly formToken: string;
}

export function Layout({
  title,
  visitor,
  wide = false,
  children,
}: {
  title: string;
  visitor?: Visitor | undefined;
  wide?: boolean;
  children?: Child;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Store portal (emulator)`}</title>
        <link rel="stylesheet" href={portalPaths.stylesheet} />
        <link rel="icon" type="image/svg+xml" href={portalPaths.icon} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href={portalPaths.home}>
            <img src={portalPaths.icon} alt="" width="28" height="28" />
            Store portal
          </a>
          <span class="badge">Emulator</span>
          {visitor?.person && <SignedIn person={visitor.person} formToken={visitor.formToken} />}
        </header>
        <main id="content" class={wide ? "wide" : ""}>
          {children}
        </main>
        <footer class="foot">
          The comanda emulator, on this machine only. Stores and people are made up.
        </footer>
      </body>
    </html>
  );
}

function SignedIn({ person, formToken }: { person: Person; formToken: string }) {
  return (
    <form class="who" method="post" action={portalPaths.logout}>
      <FormToken value={formToken} />
      <bdi>{person.name}</bdi>
      <button class="link" type="submit">
        Sign out
      </button>
    </form>
  );
}

export function FormToken({ value }: { value: string }) {
  return <input type="hidden" name="form_token" value={value} />;
}

/** A sentence that a screen reader says at once. */
export function Alert({ children }: { children?: Child }) {
  return (
    <p class="alert" role="alert">
      {children}
    </p>
  );
}
