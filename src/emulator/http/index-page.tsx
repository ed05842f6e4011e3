/** The emulator's front page says what it is, and where to go from it. */
import { Hono } from "hono";

import { operationSummaries } from "../../contract/descriptions.js";
import { controlEndpoints } from "./control/routes.js";
import { Now } from "./now.js";
import { EmulatorPage, sendPage } from "./page.js";
import { usePageWords } from "./page-words.js";
import { servedOperations } from "./partner-api/operations.js";
import { controlPath, docsPaths, nowScriptPath, orderPath, portalPaths } from "./paths.js";
import type { ServiceEnv, Service } from "../service.js";
import type { World } from "../domain/world.js";

const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export function indexRoutes(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get("/", (c) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return sendPage(c, <IndexPage service={service} />);
  });
  return app;
}

/** The menu has only pages of pre-filled orders. */
function PrefilledOrders({ world }: { world: World }) {
  const { t } = usePageWords();
  const newest = world.prefilledOrders.all().at(-1);
  return newest ? (
    <>
      <a href={orderPath(newest.storeId, newest.id)}>{t`The newest pre-filled order`}</a>
      <p class="small muted">
        {t`In the digital menu, as its customer sees it. All of them as JSON:`}{" "}
        <a href={`${controlPath}/prefilled-orders`}>
          <code>{`${controlPath}/prefilled-orders`}</code>
        </a>
      </p>
    </>
  ) : (
    <>
      <a href={`${controlPath}/prefilled-orders`}>{t`Pre-filled orders`}</a>
      <p class="small muted">
        {t`None yet. This makes one:`} <code>comanda prefill --order-type takeout --item 3002</code>
      </p>
    </>
  );
}

function IndexPage({ service }: { service: Service }) {
  const { world, controlToken } = service;
  const { t, translated } = usePageWords();
  return (
    <EmulatorPage title={t`comanda emulator`}>
      <section class="card">
        <div class="stack">
          <h1>{t`The service, on this machine`}</h1>
          <p>
            {t`This is an emulator of the order-management partner API: ${world.orders.size} made-up orders of ${world.stores.size} stores, the portal that authorises apps, and the API itself.`}{" "}
            {controlToken === undefined
              ? t`Nobody outside this machine can reach it, and all of it is gone when it ends.`
              : t`All of it is gone when it ends.`}
          </p>
        </div>
        <ul class="links">
          <li>
            <a href={portalPaths.home}>{t`The store portal`}</a>
            <p class="small muted">{t`Sign in as an owner or as someone who isn’t; see installed apps.`}</p>
          </li>
          <li>
            <a href={`${controlPath}/orders`}>{t`Orders to try`}</a>
            <p class="small muted">
              {t`The newest ones as JSON. The first to go with them:`} <code>comanda orders dispatch</code>.
            </p>
          </li>
          <li>
            <a href={`${controlPath}/stores`}>{t`Stores`}</a>
            <p class="small muted">{t`With their drivers, people and API keys.`}</p>
          </li>
          <li>
            <PrefilledOrders world={world} />
          </li>
          <li>
            <a href={docsPaths.page}>{t`The API’s description`}</a>
            <p class="small muted">
              {t`OpenAPI 3.1, to browse and to try out; as JSON at`} <code>{docsPaths.document}</code>.
            </p>
          </li>
          <li>
            <a href={`${controlPath}/log`}>{t`Request log`}</a>
            <p class="small muted">{t`What was asked and answered. It holds no secret.`}</p>
          </li>
        </ul>
      </section>
      {controlToken === undefined && (
        <>
          <section class="card" id="now">
            <Now service={service} />
          </section>
          <script src={nowScriptPath} defer></script>
        </>
      )}
      <section class="card">
        <h2>{t`The API`}</h2>
        <ul class="links">
          {servedOperations.map(({ id, method, path, section }) => (
            <li>
              <code>
                {method} {path}
              </code>
              <p class="small muted">{t`${translated(operationSummaries[id] ?? "")} (section ${section})`}</p>
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>{t`The control surface`}</h2>
        <ul class="links">
          {controlEndpoints.map(({ method, path, what }) => (
            <li>
              <code>
                {method} {controlPath}
                {path}
              </code>
              <p class="small muted">{translated(what)}</p>
            </li>
          ))}
        </ul>
      </section>
    </EmulatorPage>
  );
}
