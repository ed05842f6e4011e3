import { describe, expect, test } from "vitest";

import { defaultStore, withoutStore, withStoreRenamed, withStoreSettings } from "../../src/state/settings.js";

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
  expect(withStoreRenamed(settings, "centro", "downtown")).toEqual({
    environments: {},
    locale: "pt-BR",
    default_store: "downtown",
    stores: {
      downtown: { ...settings.stores.centro, former_aliases: ["centro"] },
      porto: settings.stores.porto,
    },
  });
});

test("a default store is followed to its new name, unless another has the old one", () => {
  const renamed = withStoreRenamed(withStoreRenamed(settings, "centro", "matriz"), "matriz", "sede");
  const elsewhere = { ...renamed, default_store: "centro" };
  expect(defaultStore(elsewhere, ["porto", "sede"])).toBe("sede");
  expect(defaultStore(elsewhere, ["centro", "sede"])).toBe("centro");
  expect(defaultStore({ ...renamed, default_store: "norte" }, ["sede"])).toBe("norte");
});
