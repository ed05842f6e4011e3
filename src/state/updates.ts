/**
 * What is known of newer versions: one small file beside the settings. Nothing of it is worth an error, so that whoever
 * uses it takes an error for "not known".
 */
import path from "node:path";

import { isObject, parseJson } from "../shared/json.js";
import { isNewerVersion } from "./files/json-file.js";
import { parseReleasesUrl } from "./settings/environment-input.js";
import type { Settings } from "./settings/settings.js";
import type { StateFolder } from "./state-folder.js";

/** What the setting is where nothing is to be asked, whatever the package says. */
export const noReleases = "off";

/**
 * Where the newest version is asked for.
 *
 * @param ofPackage what the package itself names, where it does
 * @returns `undefined` where nothing is asked
 * @throws {ComandaError} `invalid_input` for an address that can't be used
 */
export function releasesUrl(
  { updates_url: set }: Pick<Settings, "updates_url">,
  ofPackage: string | undefined,
): string | undefined {
  const url = set ?? ofPackage;
  return url === undefined || url === noReleases ? undefined : parseReleasesUrl(url);
}

/** Three numbers with dots between them; a prerelease has more, and is never told of. */
const released = /^v?((?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5}))$/;

/**
 * The version in an answer: of a package registry's document (`version`), or of a release as code hosts have it
 * (`tag_name`).
 *
 * @returns three numbers with dots between them; `undefined` for everything else, withdrawn and prereleased ones too
 */
export function releasedVersion(answer: unknown): string | undefined {
  if (!isObject(answer)) return undefined;
  if (answer["draft"] === true || answer["prerelease"] === true || answer["deprecated"]) return undefined;
  const text = answer["version"] ?? answer["tag_name"];
  return typeof text === "string" ? released.exec(text)?.[1] : undefined;
}

/** @param own may be a prerelease, which the version with the same numbers follows */
export function isNewerRelease(version: string, own: string): boolean {
  const [, numbers = "", suffix] = /^(\d+\.\d+\.\d+)(-.*)?$/.exec(own) ?? [];
  if (numbers === "") return false;
  const [theirs, ours] = [version, numbers].map((text) => text.split(".").map(Number));
  const differing = theirs?.findIndex((part, index) => part !== ours?.[index]) ?? -1;
  if (differing === -1) return suffix !== undefined;
  return (theirs?.[differing] ?? 0) > (ours?.[differing] ?? 0);
}

/** Moments are milliseconds since the epoch. */
export interface KnownRelease {
  /** Whose answer this is: another address's doesn't count. */
  readonly url: string;
  readonly askedAt?: number;
  /** As {@link releasedVersion} gives it. */
  readonly latest?: string | undefined;
  readonly toldAt?: number;
}

export interface Updates {
  /** @throws {ComandaError} `state_unusable` */
  read(url: string): KnownRelease;
  /**
   * What is due now, at most once a day each, however many processes ask: it is written down before it is done.
   *
   * @param signal ends the wait for others that do the same
   * @throws {ComandaError} `state_unusable`; nothing is due then
   */
  take(url: string, own: string, signal?: AbortSignal): Promise<DueUpdates>;
  /** @throws {ComandaError} `state_unusable`, `lock_timeout` */
  keep(url: string, latest: string | undefined): Promise<void>;
}

interface DueUpdates {
  /** A newer version that is to be told of. */
  readonly tell?: string | undefined;
  /** Is the newest version to be asked for? */
  readonly ask: boolean;
}

const dayMs = 86_400_000;
const fileVersion = 1;

export function openUpdates({ path: folder, files, locks, clock }: StateFolder): Updates {
  const file = path.join(folder, "updates.json");

  function read(url: string): KnownRelease {
    const text = files.read(file) ?? "";
    const data = parseJson(text);
    // A file that is damaged is written anew.
    if (!isObject(data) || data["url"] !== url) return { url };
    const moment = (name: string) => (typeof data[name] === "number" ? data[name] : undefined);
    const [askedAt, toldAt] = [moment("asked_at"), moment("told_at")];
    const latest = releasedVersion({ version: data["latest"] });
    return {
      url,
      ...(askedAt !== undefined && { askedAt }),
      ...(latest !== undefined && { latest }),
      ...(toldAt !== undefined && { toldAt }),
    };
  }

  function write({ url, askedAt, latest, toldAt }: KnownRelease): void {
    const data = { version: fileVersion, url, asked_at: askedAt, latest, told_at: toldAt };
    // What a loss of power takes is asked for again.
    files.write(file, `${JSON.stringify(data)}\n`, { durable: false });
  }

  /** A clock that was set back makes it due, too. */
  const isDue = (last: number | undefined) => last === undefined || Math.abs(clock.now() - last) >= dayMs;

  function due({ askedAt, latest, toldAt }: KnownRelease, own: string): DueUpdates {
    const isToTell = latest !== undefined && isNewerRelease(latest, own) && isDue(toldAt);
    return { tell: isToTell ? latest : undefined, ask: isDue(askedAt) };
  }

  return {
    read,
    async take(url, own, signal) {
      const nothing: DueUpdates = { ask: false };
      const isAnything = ({ tell, ask }: DueUpdates) => ask || tell !== undefined;
      // A later version's file is left to it.
      if (isNewerVersion(files.read(file) ?? "", fileVersion)) return nothing;
      // Most runs of a day end here, without a lock.
      if (!isAnything(due(read(url), own))) return nothing;
      const work = () => {
        const known = read(url);
        const now = clock.now();
        const found = due(known, own);
        if (isAnything(found)) {
          write({
            ...known,
            ...(found.ask && { askedAt: now }),
            ...(found.tell !== undefined && { toldAt: now }),
          });
        }
        return Promise.resolve(found);
      };
      return locks.run("updates", work, { ...(signal && { signal }) });
    },
    async keep(url, latest) {
      await locks.run("updates", () => {
        write({ ...read(url), latest });
        return Promise.resolve();
      });
    },
  };
}
