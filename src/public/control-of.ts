/** The types of `EmulatorControl` are in a file of their own, from which a program's compiler reaches no package. */
import { localClientId } from "../emulator/seed/cast.js";
import type { Service } from "../emulator/service.js";
import type { EmulatorControl } from "./emulator-control.js";

export function controlOf(service: Service): EmulatorControl {
  const { world, server } = service;
  return {
    setApp: ({ clientId = localClientId, ...change }) => server.changeApp({ clientId, ...change }),
    installations: () => server.installations(),
    uninstall: (storeId, clientId) => {
      server.uninstall(world.storeOf(storeId).id, clientId);
    },
    revokeTokens: (storeId) => {
      server.revokeAll(storeId === undefined ? undefined : world.storeOf(storeId).id);
    },
    setTokenLifetimes: (lifetimes) => {
      server.setLifetimes(lifetimes);
    },
    drivers: (storeId) =>
      [...world.drivers.values()].filter((driver) => storeId === undefined || driver.storeId === storeId),
    setDriver: (change) => world.putDriver(change),
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
