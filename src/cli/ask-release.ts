/** Asks for the newest version, in a process that nobody waits for and nobody hears; see `update-notice.ts`. */
import type { Context } from "../commands/index.js";
import { openSettingsFolder } from "../commands/state.js";
import { createTransport } from "../client/index.js";
import { parseJsonAnswer } from "../shared/json.js";
import { openSettings } from "../state/settings/settings.js";
import { openUpdates, releasedVersion, releasesUrl } from "../state/updates.js";

/** A registry's document of one version has a few thousand. */
const maxBodyBytes = 256 * 1024;
const timeoutMs = 5_000;

/**
 * Keeps the version that the address of the settings, or of the package, answers with. A redirect isn't followed.
 *
 * @throws {ComandaError} as the settings and the folder do
 * @throws {TransportError} where no answer came
 */
export async function askRelease(context: Context): Promise<void> {
  const folder = openSettingsFolder(context);
  const url = releasesUrl(openSettings(folder).read(), context.releases);
  if (url === undefined) return;
  const open = context.openTransport ?? createTransport;
  const transport = open({ env: context.env, maxBodyBytes, connectTimeoutMs: timeoutMs, timeoutMs });
  try {
    const { status, body } = await transport.send({
      method: "GET",
      url,
      headers: { accept: "application/json", "user-agent": `comanda/${context.version}` },
    });
    if (status === 200) await openUpdates(folder).keep(url, releasedVersion(parseJsonAnswer(body)));
  } finally {
    await transport.close();
  }
}
