/** The command line ends with these codes too. They are no part of the library's `ErrorCode`. */
declare module "../client/errors.js" {
  interface CommandCodes {
    /** `doctor` found something that has to be mended. */
    readonly check_failed: 1;
    /** Some of several orders did not succeed. */
    readonly some_failed: 10;
    /** A condition of `--alert` has come true; the figures are there. */
    readonly alert_holds: 11;
    /**
     * The reader of the output has gone, as in `| head`, and there was more to be done. A shell gives this code to a program
     * that SIGPIPE ended.
     */
    readonly output_closed: 141;
    /** stdout can't be written to, as on a full disk. */
    readonly output_failed: 2;
    /** SIGTERM ended the program. */
    readonly terminated: 143;
  }
}

export {};
