/** Pages for what went wrong, where nobody may be redirected. */
import { Layout, type Visitor } from "./layout.js";

/** An authorization request that can't be answered by a redirect (RFC 6749, section 4.1.2.1). */
export function AuthorizationErrorPage({ error, description }: { error: string; description: string }) {
  return (
    <Layout title="This link doesn't work">
      <section class="card">
        <div class="stack">
          <h1>This link doesn’t work</h1>
          <p>
            The app that sent you here asked in a way that the portal can’t answer. Nothing was authorised.
          </p>
        </div>
        <dl class="stack small">
          <dt class="muted">For the app’s developer</dt>
          <dd>
            <code>{error}</code>: {description}
          </dd>
        </dl>
      </section>
    </Layout>
  );
}

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
  return (
    <Layout title={title} visitor={visitor}>
      <section class="card">
        <div class="stack">
          <h1>{title}</h1>
          <p>{message}</p>
        </div>
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      </section>
    </Layout>
  );
}
