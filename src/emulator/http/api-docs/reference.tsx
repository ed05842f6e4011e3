/** Shows the API's description on a page of our own, to read and not to try out, where Swagger UI isn't installed. */
import { operationSummaries } from "../../../contract/descriptions.js";
import { credentialHeaders, type Credential } from "../../../contract/credentials.js";
import type { Operation } from "../../../contract/operations.js";
import { parametersOf, type Parameter } from "../../../openapi/parameters.js";
import { EmulatorPage } from "../page.js";
import { usePageWords } from "../page-words.js";
import { servedOperations } from "../partner-api/operations.js";

const headerOf: Readonly<Record<Credential, string>> = {
  bearer: "Authorization: Bearer …",
  api_key: `${credentialHeaders.api_key}: …`,
};

/** @param documentPath leads to the whole of it as JSON */
export function ReferencePage({ documentPath }: { documentPath: string }) {
  const { t } = usePageWords();
  return (
    <EmulatorPage title={t`The API of the comanda emulator`}>
      <section class="card">
        <div class="stack">
          <h1>{t`The API’s description`}</h1>
          <p>
            {t`Everything about it, schemas too, is in the OpenAPI document:`}{" "}
            <a href={documentPath}>
              <code>{documentPath}</code>
            </a>
          </p>
          <p class="small muted">
            {t`To try calls out on this page, install Swagger UI beside comanda:`}{" "}
            <code>npm install swagger-ui-dist@5.17.14</code>
          </p>
        </div>
      </section>
      {servedOperations.map((operation) => (
        <OperationSection operation={operation} />
      ))}
    </EmulatorPage>
  );
}

function OperationSection({ operation }: { operation: Operation }) {
  const { t, translated } = usePageWords();
  const { id, method, path, section, credentials, scopes, body, repeatable } = operation;
  const summary = operationSummaries[id] ?? "";
  const parameters = parametersOf(operation);
  return (
    <section class="card">
      <div class="stack">
        <h2>{t`${translated(summary)} (section ${section})`}</h2>
        <p>
          <code class="key">
            {method} {path}
          </code>
        </p>
        <p class="small muted">
          {repeatable ? t`Safe to repeat.` : t`Not to be repeated where it may have been received.`}
        </p>
      </div>
      <dl class="stack">
        {credentials.length > 0 && (
          <Entry name={t`Credentials`} values={credentials.map((credential) => headerOf[credential])} />
        )}
        {scopes.length > 0 && <Entry name={t`Scopes`} values={scopes} />}
        {parameters.length > 0 && <Entry name={t`Parameters`} values={parameters.map(labelOf)} />}
        {body && <Entry name={t`Body`} values={[body.type]} />}
      </dl>
    </section>
  );
}

function Entry({ name, values }: { name: string; values: readonly string[] }) {
  return (
    <>
      <dt class="small muted">{name}</dt>
      {values.map((value) => (
        <dd>
          <code class="key">{value}</code>
        </dd>
      ))}
    </>
  );
}

function labelOf({ name, required }: Parameter): string {
  return required ? `${name} *` : name;
}
