import { ComandaError } from "../../../src/client/errors.js";

/** What a call that must fail failed with; anything but a ComandaError fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<ComandaError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ComandaError) return error;
    throw error;
  }
  throw new Error("the call succeeded where it must fail");
}
