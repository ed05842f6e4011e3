/**
 * Every page of the portal has this frame; here are also the pages for errors after which nobody may be redirected.
 */
import type { Child } from "hono/jsx";

import type { Person } from "../../domain/model.js";
import { Page } from "../page.js";
import { usePageWords } from "../page-words.js";
import { portalPaths } from "./paths.js";

/** A visitor looks at a page, whose forms carry a token. */
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
  const { t } = usePageWords();
  return (
    <Page
      title={t`${title} · Store portal (emulator)`}
      brand={t`Store portal`}
      home={portalPaths.home}
      aside={visitor?.person && <SignedIn person={visitor.person} formToken={visitor.formToken} />}
      mainClass={wide ? "wide" : ""}
      foot={t`The comanda emulator, on this machine only. Stores and people are made up.`}
    >
      {children}
    </Page>
  );
}

function SignedIn({ person, formToken }: { person: Person; formToken: string }) {
  const { t } = usePageWords();
  return (
    <form class="who" method="post" action={portalPaths.logout}>
      <FormToken value={formToken} />
      <bdi>{person.name}</bdi>
      <button class="link" type="submit">
        {t`Sign out`}
      </button>
    </form>
  );
}

export function FormToken({ value }: { value: string }) {
  return <input type="hidden" name="form_token" value={value} />;
}

/** Shows a sentence that a screen reader says at once. */
export function Alert({ children }: { children?: Child }) {
  return (
    <p class="alert" role="alert">
      {children}
    </p>
  );
}

/** Shows that an authorization request can't be answered by a redirect (RFC 6749, section 4.1.2.1). */
export function AuthorizationErrorPage({ error, description }: { error: string; description: string }) {
  const { t } = usePageWords();
  return (
    <Layout title={t`This link doesn’t work`}>
      <section class="card">
        <div class="stack">
          <h1>{t`This link doesn’t work`}</h1>
          <p>
            {t`The app that sent you here asked in a way that the portal can’t answer. Nothing was authorised.`}
          </p>
        </div>
        <dl class="stack small">
          <dt class="muted">{t`For the app’s developer`}</dt>
          <dd lang="en">
            <code>{error}</code>: {description}
          </dd>
        </dl>
      </section>
    </Layout>
  );
}

/** The texts are English data, since they are the keys of their translations. */
export function MessagePage({
  title,
  message,
  visitor,
  link,
}: {
  title: string;
  message: string;
  visitor?: Visitor | undefined;
  link: { readonly href: string; readonly text: string };
}) {
  const { translated } = usePageWords();
  return (
    <Layout title={translated(title)} visitor={visitor}>
      <section class="card">
        <div class="stack">
          <h1>{translated(title)}</h1>
          <p>{translated(message)}</p>
        </div>
        <p>
          <a href={link.href}>{translated(link.text)}</a>
        </p>
      </section>
    </Layout>
  );
}
