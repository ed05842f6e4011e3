/** Whole size with `COMANDA_SOAK=1`, else what fits a check before a commit. */
export const soak = process.env["COMANDA_SOAK"] === "1";
export const minutes = 60_000;
