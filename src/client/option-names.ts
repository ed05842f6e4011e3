/** How hints call what a reader may change: a program has options, a command line has flags. */
import { t } from "../shared/language.js";

export interface OptionNames {
  readonly baseUrl: string;
  readonly timeoutMs: string;
  readonly maxWaitMs: string;
}

export const ownOptionNames: OptionNames = {
  baseUrl: "baseUrl",
  timeoutMs: "timeoutMs",
  maxWaitMs: "maxWaitMs",
};

export function baseUrlHint({ baseUrl }: OptionNames): string {
  return t`Check the base URL: ${baseUrl}.`;
}

export function longerTimeHint({ timeoutMs }: OptionNames): string {
  return t`Try again, or allow more time: ${timeoutMs}.`;
}

export function longerWaitHint({ maxWaitMs }: OptionNames): string {
  return t`Try again later, or allow a longer wait: ${maxWaitMs}.`;
}
