/** The emulator's front page: what it is, and where to go from it. */
import { Hono } from "hono";

import { docsPaths } from "./api-docs/routes.js";
import { controlEndpoints, controlPath } from "./control/routes.js";
import { servedOperations } from "./partner-api/operations.js";
import { orderPath } from "./menu/paths.js";
import { document, Page } from "./page.js";
import { portalPaths } from "./portal/paths.js";
import type { Environment, Service } from "../service.js";
import type { World } from "../domain/world.js";

const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export function indexRoutes({ world }: Service): Hono<Environment> {
  const app = new Hono<Environment>();
  app.get("/", (c) => c.html(document(<IndexPage world={world} />), 200, headers));
  return app;
}

/** The menu has no page but those of pre-filled orders. */
function PrefilledOrders({ world }: { world: World }) {
  const newest = world.prefilledOrders.all().at(-1);
  return newest ? (
    <>
      <a href={orderPath(newest.storeId, newest.id)}>The newest pre-filled order</a>
      <p class="small muted">
        In the digital menu, as its customer sees it. All of them as JSON:{" "}
        <a href={`${controlPath}/prefilled-orders`}>
          <code>{`${controlPath}/prefilled-orders`}</code>
        </a>
      </p>
    </>
  ) : (
    <>
      <a href={`${controlPath}/prefilled-orders`}>Pre-filled orders</a>
      <p class="small muted">
        None yet. This makes one: <code>comanda prefill --order-type takeout --item 3002</code>
      </p>
    </>
  );
}

function IndexPage({ world }: { world: World }) {
  return (
    <Page
      title="comanda emulator"
      brand="comanda"
      home="/"
      mainClass="wide"
      foot="Stores, people and orders are made up."
    >
      <section class="card">
        <div class="stack">
          <h1>The service, on this machine</h1>
          <p>
            This is an emulator of the order-management partner API: {world.orders.size} made-up orders of{" "}
            {world.stores.size} stores, the portal that authorises apps, and the API itself. Nobody outside
            this machine can reach it, and all of it is gone when it ends.
          </p>
        </div>
        <ul class="links">
          <li>
            <a href={portalPaths.home}>The store portal</a>
            <p class="small muted">Sign in as an owner or as someone who isn’t; see installed apps.</p>
          </li>
          <li>
            <a href={`${controlPath}/orders`}>Orders to try</a>
            <p class="small muted">
              The newest ones as JSON. The first to go with them: <code>comanda orders dispatch</code>.
            </p>
          </li>
          <li>
            <a href={`${controlPath}/stores`}>Stores</a>
            <p class="small muted">With their drivers, people and API keys.</p>
          </li>
          <li>
            <PrefilledOrders world={world} />
          </li>
          <li>
            <a href={docsPaths.page}>The API’s description</a>
            <p class="small muted">
              OpenAPI 3.1, to browse and to try out; as JSON at <code>{docsPaths.document}</code>.
            </p>
          </li>
          <li>
            <a href={`${controlPath}/log`}>Request log</a>
            <p class="small muted">What was asked and answered. It holds no secret.</p>
          </li>
        </ul>
      </section>
      <section class="card">
        <h2>The API</h2>
        <ul class="links">
          {servedOperations.map(({ method, path, summary, section }) => (
            <li>
              <code>
                {method} {path}
              </code>
              <p class="small muted">
                {summary} (section {section})
              </p>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>The control surface</h2>
        <ul class="links">
          {controlEndpoints.map(([method, path, what]) => (
            <li>
              <code>
                {method} {controlPath}
                {path}
              </code>
              <p class="small muted">{what}</p>
            </li>
          ))}
        </ul>
      </section>
    </Page>
  );
}
