/** The types of `EmulatorControl` are in a file of their own, from which a program's compiler reaches no package. */
import { changeApp, putDriver } from "../emulator/http/control/installations.js";
import { localClientId } from "../emulator/seed/cast.js";
import type { Service } from "../emulator/service.js";
import type { EmulatorControl } from "./emulator-control.js";

export function controlOf(service: Service): EmulatorControl {
  const { world, server } = service;
  const storeIn = (id: number): number => {
    if (world.stores.has(id)) return id;
    throw new RangeError(`There is no store ${id}; there are ${[...world.stores.keys()].join(", ")}.`);
  };
  return {
    setApp: ({ clientId = localClientId, redirectUris, scopes, ...change }) =>
      changeApp(service, {
        ...change,
        client_id: clientId,
        ...(redirectUris && { redirect_uris: [...redirectUris] }),
        ...(scopes && { scopes: [...scopes] }),
      }),
    installations: () => server.installations(),
    uninstall: (storeId, clientId) => {
      server.uninstall(storeIn(storeId), clientId);
    },
    revokeTokens: (storeId) => {
      server.revokeAll(storeId === undefined ? undefined : storeIn(storeId));
    },
    setTokenLifetimes: (lifetimes) => {
      server.setLifetimes(lifetimes);
    },
    drivers: (storeId) =>
      [...world.drivers.values()].filter((driver) => storeId === undefined || driver.storeId === storeId),
    setDriver: ({ storeId, ...change }) => {
      const driver = putDriver(world, { ...change, ...(storeId !== undefined && { store_id: storeId }) });
      if ("problem" in driver) throw new RangeError(driver.problem);
      return driver;
    },
    setCancellation: (settings) => {
      Object.assign(world.orders.cancellation, settings);
    },
    endCancellation: (orderId, result) => {
      const record = world.orders.find(orderId);
      if (record?.status !== "canceling")
        throw new RangeError(`Order ${orderId} is ${record?.status ?? "not there"}, not canceling.`);
      world.orders.endCancellation(record, result);
      return world.orders.full(record);
    },
  };
}
