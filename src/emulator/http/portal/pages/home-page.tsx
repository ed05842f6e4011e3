/** The portal's front door. */
import { portalPaths } from "../paths.js";
import { Layout, type Visitor } from "./layout.js";

export function HomePage({ visitor }: { visitor: Visitor }) {
  const { person } = visitor;
  return (
    <Layout title="Welcome" visitor={visitor}>
      <section class="card">
        <div class="stack">
          <h1>Store portal</h1>
          <p>
            The part of the service that store owners see, emulated on this machine. Apps send an owner here
            to be authorised; an app is never authorised from this page.
          </p>
        </div>
        <ul class="links">
          <li>
            <a href={portalPaths.integrations}>Integrations</a>
            <p class="small muted">The API key of each store, and the installed apps.</p>
          </li>
          {!person && (
            <li>
              <a href={portalPaths.login}>Sign in</a>
              <p class="small muted">As the owner of a store, or as someone who isn’t.</p>
            </li>
          )}
        </ul>
      </section>
    </Layout>
  );
}
