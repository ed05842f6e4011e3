/** Counts up so many times in one session, and adds as many environments to the settings. */
import { systemClock } from "../../../src/client/clock.js";
import { openSessions } from "../../../src/state/sessions/sessions.js";
import { openSettings } from "../../../src/state/settings/settings.js";
import { withEnvironment } from "../../../src/state/settings/environments.js";
import { openStateFolder } from "../../../src/state/state-folder.js";
import { session } from "../support/sessions.js";

const [folder = "", store = "", times = "0"] = process.argv.slice(2);
const state = openStateFolder({ folder, clock: systemClock, process });

async function main() {
  for (let turn = 0; turn < Number(times); turn += 1) {
    await openSessions(state).update(store, (current) =>
      Promise.resolve(session(store, (current?.tokens?.generation ?? 0) + 1)),
    );
    const { environment } = session(store);
    await openSettings(state).update((settings) =>
      withEnvironment(settings, { ...environment, name: `e-${process.pid}-${turn}` }),
    );
  }
}

void main();
