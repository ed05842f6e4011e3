/** Counts up so many times in one session, and adds as many environments to the settings. */
import { systemClock } from "../../../src/client/clock.js";
import { withEnvironment } from "../../../src/state/settings.js";
import { openFolder } from "../../../src/state/state.js";
import { session } from "../support/sessions.js";

const [folder = "", store = "", times = "0"] = process.argv.slice(2);
const state = openFolder({ folder, clock: systemClock });

async function main() {
  for (let turn = 0; turn < Number(times); turn += 1) {
    await state.sessions.update(store, (current) =>
      Promise.resolve(session(store, (current?.tokens?.generation ?? 0) + 1)),
    );
    const { environment } = session(store);
    await state.settings.update((settings) =>
      withEnvironment(settings, { ...environment, name: `e-${process.pid}-${turn}` }),
    );
  }
}

void main();
