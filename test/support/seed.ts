/**
 * What is drawn by chance is drawn anew each day, and is the same for everyone on it: a change isn't refused for a fault that
 * stood there before, and a new day looks elsewhere. `COMANDA_TEST_SEED` gives another one.
 */
import fc from "fast-check";

const today = new Date().toISOString().slice(0, 10).replaceAll("-", "");

fc.configureGlobal({ seed: Number(process.env["COMANDA_TEST_SEED"] ?? today) });
