/** The front page shows what goes on in the emulator, and looks again every two seconds. */
import { Hono } from "hono";
import { html } from "hono/html";
import type { Child } from "hono/jsx";

import { orderStatuses } from "../../contract/enums.js";
import { chosenReadings } from "../readings.js";
import type { Service, ServiceEnv } from "../service.js";
import { CodeLink } from "./page.js";
import { readerWords, Speaking, usePageWords } from "./page-words.js";
import { controlPath, nowPath, nowScriptPath } from "./paths.js";

const shownRequests = 10;

// A person who reads with the keyboard must not lose their place.
const script = `const now = document.getElementById("now");
let last = now.innerHTML;
setInterval(async () => {
  if (document.hidden || now.contains(document.activeElement)) return;
  try {
    const answer = await fetch("${nowPath}");
    const next = await answer.text();
    if (answer.ok && next !== last) now.innerHTML = last = next;
  } catch {
    // The emulator has ended.
  }
}, 2000);
`;

export function nowRoutes(service: Service): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  // Where others may come in, only those who have the token may see it.
  if (service.controlToken !== undefined) return app;
  app.get(nowPath, (c) => {
    c.header("cache-control", "no-store");
    c.header("vary", "Accept-Language");
    return c.html(html`${(<Speaking value={readerWords(c)}>{<Now service={service} />}</Speaking>)}`);
  });
  app.get(nowScriptPath, (c) => c.body(script, 200, { "content-type": "text/javascript; charset=utf-8" }));
  return app;
}

export function Now({ service: { world, log, faults, readings } }: { service: Service }) {
  const { t } = usePageWords();
  const counts = new Map<string, number>();
  for (const { status } of world.orders.all()) counts.set(status, (counts.get(status) ?? 0) + 1);
  const requests = log
    .calls()
    .filter(({ path }) => path.startsWith("/api/"))
    .slice(-shownRequests)
    .reverse();
  const chosen = chosenReadings(readings).filter((reading) => reading.value !== reading.default);
  const armed = faults.list();
  return (
    <>
      <h2>{t`Right now`}</h2>
      <p class="small muted">
        {t`The emulator’s time:`} <code>{new Date(world.clock.now()).toISOString().slice(0, 16)}Z</code>
      </p>
      <Part title={t`Orders by state`}>
        <ul class="counts">
          {orderStatuses
            .filter((status) => counts.has(status))
            .map((status) => (
              <li>
                <a href={`${controlPath}/orders?status=${status}`}>
                  <code>{status}</code>
                </a>{" "}
                {counts.get(status)}
              </li>
            ))}
        </ul>
      </Part>
      <Part title={t`The last requests`}>
        {requests.length === 0 && <p class="small muted">{t`None yet.`}</p>}
        <ul class="requests">
          {requests.map(({ method, path, status, fault }) => (
            <li>
              <code>
                {method} {path}
              </code>{" "}
              <strong>{status ?? t`no answer`}</strong>
              {fault !== null && <span class="muted"> {t`fault ${fault}`}</span>}
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t`Faults`}>
        {armed.length === 0 && <p class="small muted">{t`Nothing goes wrong on purpose.`}</p>}
        <ul class="requests">
          {armed.map(({ kind, match, remaining }) => (
            <li>
              <code>{[kind, match.operation, match.method, match.path].filter(Boolean).join(" ")}</code>{" "}
              {remaining !== null && t`${remaining} times more`}
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t`Readings`}>
        <p class="small muted">
          {chosen.length === 0 ? t`All of them as the emulator has them.` : t`Other than the emulator’s own:`}{" "}
          <CodeLink href={`${controlPath}/readings`} />
        </p>
        <ul class="requests">
          {chosen.map(({ name, value }) => (
            <li>
              <code>{`${name}=${value}`}</code>
            </li>
          ))}
        </ul>
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: Child }) {
  return (
    <div class="stack">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
