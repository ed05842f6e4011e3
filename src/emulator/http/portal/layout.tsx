/** Every page of the portal has this frame, and knows who looks at it. */
import type { Context } from "hono";
import { type Child, createContext, useContext } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { Page, sendPage } from "../page.js";
import { usePageWords } from "../page-words.js";
import { portalPaths } from "../paths.js";
import type { Portal, Visitor } from "./portal.js";

const PageVisitor = createContext<Visitor | undefined>(undefined);

/** Sends a page whose forms are the visitor's. */
export function sendToVisitor(c: Context, portal: Portal, page: JSX.Element, status?: ContentfulStatusCode) {
  const visitor = portal.visitor(c);
  return sendPage(c, <PageVisitor.Provider value={visitor}>{page}</PageVisitor.Provider>, status);
}

/** @param hasSignOut shows who is signed in, at the top of the page */
export function Layout({
  title,
  hasSignOut = false,
  wide = false,
  children,
}: {
  title: string;
  hasSignOut?: boolean;
  wide?: boolean;
  children?: Child;
}) {
  const { t } = usePageWords();
  return (
    <Page
      title={t`${title} · Store portal (emulator)`}
      brand={t`Store portal`}
      home={portalPaths.home}
      aside={hasSignOut && <SignedIn />}
      mainClass={wide ? "wide" : ""}
      foot={t`The comanda emulator, on this machine only. Stores and people are made up.`}
    >
      {children}
    </Page>
  );
}

function SignedIn() {
  const { t } = usePageWords();
  const person = useContext(PageVisitor)?.person;
  return person ? (
    <PostForm class="who" action={portalPaths.logout}>
      <bdi>{person.name}</bdi>
      <button class="link" type="submit">
        {t`Sign out`}
      </button>
    </PostForm>
  ) : null;
}

/** Every form carries its visitor's token. */
export function PostForm(props: { class?: string; action: string; children?: Child }) {
  return (
    <form class={props.class} method="post" action={props.action}>
      {props.children}
      <input type="hidden" name="form_token" value={useContext(PageVisitor)?.formToken} />
    </form>
  );
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
  href = portalPaths.home,
  link = "To the portal’s front page",
}: {
  title: string;
  message: string;
  href?: string;
  link?: string;
}) {
  const { translated } = usePageWords();
  return (
    <Layout title={translated(title)} hasSignOut>
      <section class="card">
        <div class="stack">
          <h1>{translated(title)}</h1>
          <p>{translated(message)}</p>
        </div>
        <p>
          <a href={href}>{translated(link)}</a>
        </p>
      </section>
    </Layout>
  );
}
