/** Where worlds begin: a machine on which somebody has signed in, and whose home has more in it than comanda's folder. */
import { SimulatedDisk } from "./disk.js";
import type { Plan } from "./plan.js";
import { Realms, type Realm } from "./realm.js";
import { theApiKey } from "./service.js";
import { home, World } from "./world.js";

export interface Beginning {
  readonly realms: Realms;
  /** A disk of one's own. */
  diskFor(plan: Plan): SimulatedDisk;
}

/** @param make of the program that is tried */
export function createBeginning(make: () => Realm): Beginning {
  const realms = new Realms(make);
  const disks = new Map<string, SimulatedDisk>();
  return {
    realms,
    diskFor({ secondsLeft, tasks }) {
      // With a key, a change of an order would not end with the sign-in: only who needs it has it.
      const apiKey = tasks.some(({ kind }) => kind === "prefill") ? theApiKey : undefined;
      // A sign-in proposes the machine's time zone where none is set, which no world plays.
      const settings = tasks.some(({ kind }) => kind === "login") ? withZone : undefined;
      const name = `${secondsLeft} ${apiKey ?? ""} ${settings ?? ""}`;
      const disk = disks.get(name) ?? signedInDisk(realms, secondsLeft, apiKey, settings);
      disks.set(name, disk);
      return disk.copy();
    },
  };
}

const withZone = JSON.stringify({ version: 1, time_zone: "America/Sao_Paulo", environments: {} });

function signedInDisk(
  realms: Realms,
  secondsLeft: number,
  apiKey: string | undefined,
  settings: string | undefined,
): SimulatedDisk {
  const disk = new SimulatedDisk(home);
  for (const folder of ["/home", "/home/ana", "/home/ana/photos"]) disk.put(folder);
  // Names that comanda's own files could have.
  disk.put("/home/ana/photos/.holiday.jpg.0badcafe.77.0123456789abcdef.tmp", { text: "a photo" });
  disk.put("/home/ana/photos/2026-11.jsonl", { text: "a list" });
  // Long after.
  disk.touch("/home/ana/photos", Date.UTC(2026, 10));
  const plan = {
    secondsLeft,
    tasks: [],
    troubles: [],
    faults: [],
    trap: undefined,
    ...{ places: [], order: [] },
  };
  const world = new World(disk, realms, plan);
  world.signIn(apiKey);
  world.giveBack();
  if (settings !== undefined) disk.put(`${home}/settings.json`, { text: settings });
  return disk;
}
