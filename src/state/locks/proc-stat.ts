/**
 * The fields of `/proc/<pid>/stat` from the third on (proc_pid_stat(5)): the state first, the number of threads as
 * field 20, the start time in clock ticks as field 22. The name in field 2 may hold anything, spaces and parentheses
 * too, so fields are counted from its end.
 */
export function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
