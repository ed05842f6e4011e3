import { describe, expect, test } from "vitest";

import type { Settings } from "../../src/state/settings/settings.js";
import {
  storeNow,
  withoutStore,
  withStoreRenamed,
  withStoreSettings,
} from "../../src/state/settings/store-settings.js";

const settings = {
  environments: {},
  default_store: "centro",
  locale: "pt-BR",
  stores: { centro: { time_zone: "America/Manaus", currency: "BRL" }, porto: { time_zone: "Europe/Lisbon" } },
};

describe("withStoreSettings", () => {
  test("changes what is given and keeps the rest", () => {
    const changed = withStoreSettings(settings, "centro", { locale: "pt-PT" });
    expect(changed.stores?.["centro"]).toEqual({ ...settings.stores.centro, locale: "pt-PT" });
    expect(changed.stores?.["porto"]).toEqual(settings.stores.porto);
  });

  test("takes a value away", () => {
    const changed = withStoreSettings(settings, "centro", { currency: undefined });
    expect(changed.stores?.["centro"]).toEqual({ time_zone: "America/Manaus" });
  });

  test("begins a store's settings", () => {
    const changed = withStoreSettings({ environments: {} }, "novo", { currency: "BRL" });
    expect(changed.stores).toEqual({ novo: { currency: "BRL" } });
  });
});

test("a store that is forgotten is neither the default nor has settings", () => {
  expect(withoutStore(settings, "centro")).toEqual({
    environments: {},
    locale: "pt-BR",
    stores: { porto: { time_zone: "Europe/Lisbon" } },
  });
});

test("forgetting another store leaves the default", () => {
  expect(withoutStore(settings, "porto").default_store).toBe("centro");
});

test("forgetting a store that nothing is set for changes nothing", () => {
  expect(withoutStore({ environments: {} }, "centro")).toEqual({ environments: {} });
});

test("a renamed store stays the default and keeps its settings", () => {
  const at = "2026-11-22T12:00:00.000Z";
  expect(withStoreRenamed(settings, { from: "centro", to: "downtown", at })).toEqual({
    environments: {},
    locale: "pt-BR",
    default_store: "downtown",
    stores: {
      downtown: { ...settings.stores.centro, earlier_aliases: [{ alias: "centro", until: at }] },
      porto: settings.stores.porto,
    },
  });
});

describe("what was done under an alias belongs to the store that had it then", () => {
  const renames = [
    ["centro", "matriz", "2026-11-02T00:00:00.000Z"],
    ["porto", "centro", "2026-11-03T00:00:00.000Z"],
    ["matriz", "sede", "2026-11-04T00:00:00.000Z"],
    ["centro", "porto", "2026-11-05T00:00:00.000Z"],
  ] as const;
  const after = renames.reduce<Settings>(
    (current, [from, to, at]) => withStoreRenamed(current, { from, to, at }),
    { environments: {} },
  );

  test.each([
    ["centro", "2026-11-01T12:00:00.000Z", "sede"],
    ["matriz", "2026-11-02T12:00:00.000Z", "sede"],
    ["centro", "2026-11-03T12:00:00.000Z", "porto"],
    ["porto", "2026-11-01T12:00:00.000Z", "porto"],
    ["porto", "2026-11-06T12:00:00.000Z", "porto"],
    ["sede", "2026-11-06T12:00:00.000Z", "sede"],
    ["centro", "2026-11-06T12:00:00.000Z", "centro"],
    [null, "2026-11-01T12:00:00.000Z", null],
  ])("%s at %s: %s", (store, at, now) => {
    expect(storeNow(after)({ store, at })).toBe(now);
  });
});
