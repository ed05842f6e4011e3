/** Which app is installed at which store: section 5.2, step 6. */
import type { Scope } from "../../../contract/oauth.js";
import type { Installation } from "../../domain/model.js";

export interface Installations {
  find(id: number): Installation | undefined;
  list(): readonly Installation[];
  /** Makes the app active at the store, with the scopes of the latest consent. */
  activate(clientId: string, storeId: number, scopes: readonly Scope[]): Installation;
  /** Without a client: every app of the store. @returns the installations that were active until now */
  deactivate(storeId: number, clientId?: string): readonly Installation[];
  clear(): void;
}

export function createInstallations(): Installations {
  const byId = new Map<number, Installation>();

  return {
    find: (id) => byId.get(id),
    list: () => [...byId.values()],
    activate: (clientId, storeId, scopes) => {
      const known = [...byId.values()].find(
        (candidate) => candidate.clientId === clientId && candidate.storeId === storeId,
      );
      const id = known?.id ?? byId.size + 1;
      const installation: Installation = { id, clientId, storeId, scopes: [...scopes], active: true };
      byId.set(id, installation);
      return installation;
    },
    deactivate: (storeId, clientId) => {
      const affected = [...byId.values()].filter(
        (candidate) =>
          candidate.active &&
          candidate.storeId === storeId &&
          (clientId === undefined || candidate.clientId === clientId),
      );
      for (const installation of affected) byId.set(installation.id, { ...installation, active: false });
      return affected;
    },
    clear: () => byId.clear(),
  };
}
