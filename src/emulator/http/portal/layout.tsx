/** Every page of the portal has this frame. */
import type { Child } from "hono/jsx";

import { Page } from "../page.js";
import { usePageWords } from "../page-words.js";
import { portalPaths } from "../paths.js";
import type { Visitor } from "./portal.js";

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
      aside={visitor?.person && <SignedIn {...visitor} />}
      mainClass={wide ? "wide" : ""}
      foot={t`The comanda emulator, on this machine only. Stores and people are made up.`}
    >
      {children}
    </Page>
  );
}

function SignedIn({ person, formToken }: Visitor) {
  const { t } = usePageWords();
  return (
    <form class="who" method="post" action={portalPaths.logout}>
      <FormToken value={formToken} />
      <bdi>{person?.name}</bdi>
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
