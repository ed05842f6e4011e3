/**
 * A file system in memory, as far as comanda uses one: files, folders, links, owners and modes, a size, and what of all
 * that outlives a loss of power. It throws what the system would, and writes down whatever changes outside of one folder.
 */
import path from "node:path";

import { openFlags } from "../../src/shared/disk.js";

type Kind = "file" | "folder" | "link";

interface Inode {
  readonly id: number;
  readonly kind: Kind;
  readonly uid: number;
  mode: number;
  /** Nanoseconds. */
  mtime: bigint;
  /** Never changed in place. */
  data: Buffer;
  /** What of `data` is on the disk for good. */
  durable: Buffer;
  entries: Map<string, Inode>;
  /** Changes of `entries` that aren't on the disk for good, in their order. */
  unsynced: ((entries: Map<string, Inode>) => void)[];
  durableEntries: Map<string, Inode>;
  readonly target: string;
}

interface OpenFile {
  readonly inode: Inode;
  position: number;
}

export class DiskError extends Error {
  static readonly #known = new Map<string, DiskError>();

  private constructor(readonly code: string) {
    super(`${code}: simulated`);
  }

  /** The same one each time: a world has hundreds of them, and a stack takes longer than all the rest of a call. */
  static of(code: string): DiskError {
    const error = this.#known.get(code) ?? new DiskError(code);
    this.#known.set(code, error);
    return error;
  }
}

/** Decides what is left of something: from 0 to `most`. */
export type Choose = (most: number) => number;

const empty = Buffer.alloc(0);
const fileFlags = openFlags.create + openFlags.exclusive;

export class SimulatedDisk {
  /** Bytes that are left. */
  free = Infinity;
  /** Milliseconds since the epoch. */
  clock: () => number = () => 0;
  /** Paths outside of the folder that were changed. */
  readonly changedOutside: string[] = [];
  #root: Inode;
  #home: string;
  #inodes = 0;
  #stamps = 0n;

  /** @param home the only folder in which anything may change */
  constructor(home: string) {
    this.#home = home;
    this.#root = this.#inode("folder", 0, 0o755);
  }

  /** The same tree, whose changes leave this one as it is. All of it is on the disk for good. */
  copy(): SimulatedDisk {
    const copy = new SimulatedDisk(this.#home);
    copy.#inodes = this.#inodes;
    copy.#root = copyOf(this.#root, new Map());
    return copy;
  }

  #inode(kind: Kind, uid: number, mode: number, target = ""): Inode {
    return {
      id: (this.#inodes += 1),
      ...{ kind, uid, mode, target, mtime: this.#now(), data: empty, durable: empty, unsynced: [] },
      entries: new Map(),
      durableEntries: new Map(),
    };
  }

  /** Two changes have two times. */
  #now(): bigint {
    return this.#stamp(this.clock());
  }

  #stamp(ms: number): bigint {
    this.#stamps += 1n;
    return BigInt(Math.trunc(ms)) * 1_000_000n + (this.#stamps % 1_000_000n);
  }

  /** The folder that holds the last name of a path, links followed, and the whole path as it really is. */
  #parent(file: string): { folder: Inode; name: string; real: string } {
    const names = namesOf(file);
    const name = names.pop() ?? "";
    let [folder, real] = [this.#root, ""];
    for (let index = 0, links = 0; index < names.length; index += 1) {
      const next = folder.entries.get(names[index] ?? "");
      if (!next) throw DiskError.of("ENOENT");
      if (next.kind === "file") throw DiskError.of("ENOTDIR");
      if (next.kind === "link") {
        if ((links += 1) > 40) throw DiskError.of("ELOOP");
        names.splice(0, index + 1, ...namesOf(path.resolve(real || "/", next.target)));
        [folder, real, index] = [this.#root, "", -1];
        continue;
      }
      [folder, real] = [next, `${real}/${names[index] ?? ""}`];
    }
    return { folder, name, real: `${real}/${name}` };
  }

  #find(file: string, follow: boolean): Inode {
    if (file === "/") return this.#root;
    const { folder, name, real } = this.#parent(file);
    const inode = folder.entries.get(name);
    if (!inode) throw DiskError.of("ENOENT");
    if (inode.kind !== "link" || !follow) return inode;
    return this.#find(path.resolve(path.dirname(real), inode.target), true);
  }

  #change(real: string, folder: Inode, work: (entries: Map<string, Inode>) => void): void {
    if (real !== this.#home && !real.startsWith(`${this.#home}/`)) this.changedOutside.push(real);
    work(folder.entries);
    folder.unsynced.push(work);
    folder.mtime = this.#now();
  }

  #take(bytes: number): void {
    if (bytes > this.free) throw DiskError.of("ENOSPC");
    this.free -= bytes;
  }

  open(uid: number, file: string, flags: number, mode: number): OpenFile {
    const has = (flag: number) => flag !== 0 && (flags & flag) === flag;
    const { folder, name, real } = this.#parent(file);
    let inode = folder.entries.get(name);
    if (inode && has(fileFlags)) throw DiskError.of("EEXIST");
    if (inode?.kind === "link") {
      if (has(openFlags.noLinks)) throw DiskError.of("ELOOP");
      inode = this.#find(file, true);
    }
    if (!inode) {
      if (!has(openFlags.create)) throw DiskError.of("ENOENT");
      if (folder.uid !== uid && (folder.mode & 0o002) === 0) throw DiskError.of("EACCES");
      const made = this.#inode("file", uid, mode);
      this.#change(real, folder, (entries) => entries.set(name, made));
      inode = made;
    }
    const writes = has(openFlags.write);
    if (inode.kind === "folder" && writes) throw DiskError.of("EISDIR");
    if (inode.kind === "file" && has(openFlags.folder)) throw DiskError.of("ENOTDIR");
    if (inode.uid !== uid && (inode.mode & (writes ? 0o002 : 0o004)) === 0) throw DiskError.of("EACCES");
    return { inode, position: 0 };
  }

  stats(inode: Inode) {
    return {
      size: inode.data.length,
      ...{ mode: inode.mode, uid: inode.uid, ino: BigInt(inode.id), mtimeNs: inode.mtime },
      mtimeMs: Number(inode.mtime / 1_000_000n),
      isFile: () => inode.kind === "file",
      isDirectory: () => inode.kind === "folder",
      isSymbolicLink: () => inode.kind === "link",
      isFIFO: () => false,
    };
  }

  stat(file: string, follow: boolean) {
    return this.stats(this.#find(file, follow));
  }

  read(open: OpenFile, into: Uint8Array, position?: number): number {
    const bytes = open.inode.data.copy(into, 0, position ?? open.position);
    if (position === undefined) open.position += bytes;
    return bytes;
  }

  readText(open: OpenFile): string {
    const text = open.inode.data.toString("utf8", open.position);
    open.position = open.inode.data.length;
    return text;
  }

  /** As much as there is room for. */
  write(open: OpenFile, bytes: Uint8Array, position: number): number {
    const { inode } = open;
    const start = position >= 0 ? position : open.position;
    const room = inode.data.length - start + this.free;
    const length = Math.min(bytes.length, room);
    if (length <= 0 && bytes.length > 0) throw DiskError.of("ENOSPC");
    const end = Math.max(inode.data.length, start + length);
    this.#take(end - inode.data.length);
    const data = Buffer.alloc(end);
    inode.data.copy(data);
    data.set(bytes.subarray(0, length), start);
    [inode.data, inode.mtime] = [data, this.#now()];
    open.position = start + length;
    return length;
  }

  ftruncate({ inode }: OpenFile, length: number): void {
    this.free += inode.data.length - length;
    [inode.data, inode.mtime] = [inode.data.subarray(0, length), this.#now()];
  }

  fsync({ inode }: OpenFile): void {
    inode.durable = inode.data;
    if (inode.kind !== "folder") return;
    [inode.durableEntries, inode.unsynced] = [new Map(inode.entries), []];
  }

  fchmod({ inode }: OpenFile, uid: number, mode: number): void {
    if (inode.uid !== uid) throw DiskError.of("EPERM");
    inode.mode = mode;
  }

  rename(from: string, to: string): void {
    const inode = this.#find(from, false);
    const [old, next] = [this.#parent(from), this.#parent(to)];
    const before = next.folder.entries.get(next.name);
    if (before === inode) return;
    if (before) this.free += before.data.length;
    if (old.folder !== next.folder) this.#change(old.real, old.folder, (entries) => entries.delete(old.name));
    this.#change(next.real, next.folder, (entries) => {
      if (old.folder === next.folder) entries.delete(old.name);
      entries.set(next.name, inode);
    });
  }

  unlink(file: string): void {
    const inode = this.#find(file, false);
    if (inode.kind === "folder") throw DiskError.of("EISDIR");
    const { folder, name, real } = this.#parent(file);
    this.free += inode.data.length;
    this.#change(real, folder, (entries) => entries.delete(name));
  }

  mkdir(uid: number, folder: string, mode: number): void {
    const { folder: parent, name, real } = this.#parent(folder);
    if (parent.entries.has(name)) throw DiskError.of("EEXIST");
    if (parent.uid !== uid && (parent.mode & 0o002) === 0) throw DiskError.of("EACCES");
    this.#take(0);
    const made = this.#inode("folder", uid, mode);
    this.#change(real, parent, (entries) => entries.set(name, made));
  }

  readdir(folder: string): string[] {
    const inode = this.#find(folder, true);
    if (inode.kind !== "folder") throw DiskError.of("ENOTDIR");
    return [...inode.entries.keys()];
  }

  /** Nothing here leads through a link. */
  realpath(file: string): string {
    this.#find(file, true);
    return file;
  }

  readlink(file: string): string {
    const inode = this.#find(file, false);
    if (inode.kind !== "link") throw DiskError.of("EINVAL");
    return inode.target;
  }

  /** @param now milliseconds since the epoch, by the clock of whoever touches it */
  touch(file: string, now: number): void {
    this.#find(file, true).mtime = this.#stamp(now);
  }

  /** What somebody else put there before the story begins: a file with text, a folder without. */
  put(file: string, { uid = 1000, text }: { readonly uid?: number; readonly text?: string } = {}): void {
    const { folder, name } = this.#parent(file);
    const made = this.#inode(text === undefined ? "folder" : "file", uid, text === undefined ? 0o700 : 0o600);
    if (text !== undefined) made.data = made.durable = Buffer.from(text);
    for (const entries of [folder.entries, folder.durableEntries]) entries.set(name, made);
  }

  /** A link in the place of whatever has that name. */
  putLink(file: string, target: string): void {
    const { folder, name } = this.#parent(file);
    const link = this.#inode("link", 1000, 0o777, target);
    for (const entries of [folder.entries, folder.durableEntries]) entries.set(name, link);
  }

  /** The power is gone: of what was not brought to the disk, some is there, up to a point. */
  losePower(choose: Choose): void {
    const seen = new Set<Inode>();
    const settle = (inode: Inode) => {
      if (seen.has(inode)) return;
      seen.add(inode);
      if (inode.data !== inode.durable) inode.data = inode.durable = torn(inode, choose);
      const kept = choose(inode.unsynced.length);
      for (const work of inode.unsynced.slice(0, kept)) work(inode.durableEntries);
      [inode.entries, inode.unsynced] = [new Map(inode.durableEntries), []];
      for (const entry of inode.entries.values()) settle(entry);
    };
    settle(this.#root);
  }
}

function namesOf(file: string): string[] {
  return (file.includes("/.") || file.includes("//") ? path.resolve("/", file) : file)
    .split("/")
    .filter(Boolean);
}

/** What an append leaves is a beginning; what was written over is old up to a point, or new. */
function torn({ data, durable }: Inode, choose: Choose): Buffer {
  const appended = data.length >= durable.length && data.subarray(0, durable.length).equals(durable);
  if (appended) return data.subarray(0, durable.length + choose(data.length - durable.length));
  const cut = choose(data.length);
  return Buffer.concat([data.subarray(0, cut), durable.subarray(cut)]);
}

function copyOf(inode: Inode, copies: Map<Inode, Inode>): Inode {
  const known = copies.get(inode);
  if (known) return known;
  const copy: Inode = { ...inode, durable: inode.data, unsynced: [], entries: new Map() };
  copies.set(inode, copy);
  for (const [name, entry] of inode.entries) copy.entries.set(name, copyOf(entry, copies));
  copy.durableEntries = new Map(copy.entries);
  return copy;
}

export type { OpenFile };
