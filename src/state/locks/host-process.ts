/** What this layer needs to know of the process it runs in; Node's own `process` fits. */
export interface HostProcess {
  readonly pid: number;
  /** `linux`, `darwin`, `win32`, … */
  readonly platform: string;
  /** Absent where files have no owner (Windows). */
  getuid?(): number;
  /** Called with signal 0 alone, which only asks whether the process exists. Throws `ESRCH` where it doesn't. */
  kill(pid: number, signal: 0): unknown;
}
