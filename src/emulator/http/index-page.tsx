/** The emulator's front page says what it is, and where to go from it. */
import { Hono } from "hono";

import { operationSummaries } from "../../contract/descriptions.js";
import { controlEndpoints } from "./control/routes.js";
import { Now } from "./now.js";
import { CodeLink, documentHeaders, EmulatorPage, Entry, sendPage } from "./page.js";
import { usePageWords } from "./page-words.js";
import { servedOperations } from "./partner-api/operations.js";
import { controlPath, docsPaths, nowScriptPath, orderPath, portalPaths } from "./paths.js";
import type { ServiceEnv, Service } from "../service.js";
import type { World } from "../domain/world.js";

const headers = documentHeaders(
  "script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'",
  "'none'",
);

export function indexRoutes(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get("/", (c) => sendPage(c, <IndexPage service={service} />, 200, headers));
  return app;
}

/** The menu has only pages of pre-filled orders. */
function PrefilledOrders({ world }: { world: World }) {
  const { t } = usePageWords();
  const newest = world.prefilledOrders.all().at(-1);
  const list = `${controlPath}/prefilled-orders`;
  return newest ? (
    <Entry href={orderPath(newest.storeId, newest.id)} title={t`The newest pre-filled order`}>
      {t`In the digital menu, as its customer sees it. All of them as JSON:`} <CodeLink href={list} />
    </Entry>
  ) : (
    <Entry href={list} title={t`Pre-filled orders`}>
      {t`None yet. This makes one:`} <code>comanda prefill --order-type takeout --item 3002</code>
    </Entry>
  );
}

/** Lists calls with what each is for. */
function Calls({
  title,
  calls,
}: {
  title: string;
  calls: readonly (readonly [call: string, what: string])[];
}) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="links">
        {calls.map(([call, what]) => (
          <li>
            <code>{call}</code>
            <p class="small muted">{what}</p>
          </li>
        ))}
      </ul>
    </section>
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
          <Entry href={portalPaths.home} title={t`The store portal`}>
            {t`Sign in as an owner or as someone who isn’t; see installed apps.`}
          </Entry>
          <Entry href={`${controlPath}/orders`} title={t`Orders to try`}>
            {t`The newest ones as JSON. The first to go with them:`} <code>comanda orders dispatch</code>.
          </Entry>
          <Entry href={`${controlPath}/stores`} title={t`Stores`}>
            {t`With their drivers, people and API keys.`}
          </Entry>
          <PrefilledOrders world={world} />
          <Entry href={docsPaths.page} title={t`The API’s description`}>
            {t`OpenAPI 3.1, to browse and to try out; as JSON at`} <code>{docsPaths.document}</code>.
          </Entry>
          <Entry href={`${controlPath}/log`} title={t`Request log`}>
            {t`What was asked and answered. It holds no secret.`}
          </Entry>
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
      <Calls
        title={t`The API`}
        calls={servedOperations.map(({ id, method, path, section }) => [
          `${method} ${path}`,
          t`${translated(operationSummaries[id] ?? "")} (section ${section})`,
        ])}
      />
      <Calls
        title={t`The control surface`}
        calls={controlEndpoints.map(({ method, path, what }) => [
          `${method} ${controlPath}${path}`,
          translated(what),
        ])}
      />
    </EmulatorPage>
  );
}
