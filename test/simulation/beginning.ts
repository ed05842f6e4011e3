/** Where worlds begin: a machine on which somebody has signed in, and whose home has more in it than comanda's folder. */
import { SimulatedDisk } from "./disk.js";
import { Realms, type Realm } from "./realm.js";
import { home, World } from "./world.js";

export interface Beginning {
  readonly realms: Realms;
  /** A disk of one's own. */
  diskFor(secondsLeft: number): SimulatedDisk;
}

/** @param make of the program that is tried */
export function createBeginning(make: () => Realm): Beginning {
  const realms = new Realms(make);
  const disks = new Map<number, SimulatedDisk>();
  return {
    realms,
    diskFor(secondsLeft) {
      const disk = disks.get(secondsLeft) ?? signedInDisk(realms, secondsLeft);
      disks.set(secondsLeft, disk);
      return disk.copy();
    },
  };
}

function signedInDisk(realms: Realms, secondsLeft: number): SimulatedDisk {
  const disk = new SimulatedDisk(home);
  for (const folder of ["/home", "/home/ana", "/home/ana/photos"]) disk.put(folder);
  // Names that comanda's own files could have.
  disk.put("/home/ana/photos/.holiday.jpg.0badcafe.77.0123456789abcdef.tmp", { text: "a photo" });
  disk.put("/home/ana/photos/2026-11.jsonl", { text: "a list" });
  const plan = { secondsLeft, tasks: [], troubles: [], faults: [], trap: undefined, order: [] };
  new World(disk, realms, plan).signIn();
  return disk;
}
