/** The emulator's own pages and surfaces are at these paths. The contract has those of the partner API. */

export const controlPath = "/_emulator";

/** The front page shows what goes on now by this piece of a page, which no log has: it would drive out what programs sent. */
export const nowPath = "/now";
export const nowScriptPath = "/now.js";

export const docsPaths = { document: "/openapi.json", page: "/openapi" } as const;

export const portalPath = "/portal";

export const portalPaths = {
  home: portalPath,
  /** Section 5.2 calls this address `auth_url`. */
  authorize: `${portalPath}/authorize`,
  login: `${portalPath}/login`,
  logout: `${portalPath}/logout`,
  integrations: `${portalPath}/integrations`,
  key: `${portalPath}/integrations/key`,
  uninstall: `${portalPath}/integrations/uninstall`,
  /** All pages have these two, and not the portal's alone. */
  stylesheet: `${portalPath}/style.css`,
  icon: `${portalPath}/icon.svg`,
} as const;

/** The digital menu's pages are here; the specification calls their host {preview_url}. */
export const menuPath = "/menu";

/** Makes the path of `order_url`, the page that opens a pre-filled order. */
export function orderPath(storeId: number, id: string): string {
  return `${menuPath}/${storeId}/prefilled/${id}`;
}

/** Makes the path of `checkout_url`. */
export function checkoutPath(storeId: number, id: string): string {
  return `${orderPath(storeId, id)}/checkout`;
}
