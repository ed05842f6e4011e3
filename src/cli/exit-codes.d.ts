/** The command line ends with these codes too: `internal` is a fault of comanda's own. They are no part of the library's `ErrorCode`. */
type CommandCode =
  | "internal"
  | "check_failed"
  | "some_failed"
  | "alert_holds"
  | "output_closed"
  | "output_failed"
  | "terminated";

declare module "../client/errors.js" {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its members are the codes above
  interface CommandCodes extends Record<CommandCode, number> {}
}

export {};
