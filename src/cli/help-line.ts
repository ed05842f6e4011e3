/** `comanda orders cancel --help --all` is another way to say `comanda help orders cancel`. */
export function helpLine(argv: readonly string[]): readonly string[] {
  const [help = "", all = ""] = argv.slice(-2);
  const asksForAll = all === "--all" && (help === "--help" || help === "-h");
  return asksForAll ? ["help", ...argv.slice(0, -2)] : argv;
}
