/** The digital menu's pages are here; the specification calls their host {preview_url}. */
export const menuPath = "/menu";

export const menuStylesheet = `${menuPath}/style.css`;

/** Makes the path of `order_url`, the page that opens a pre-filled order. */
export function orderPath(storeId: number, id: string): string {
  return `${menuPath}/${storeId}/prefilled/${id}`;
}

/** Makes the path of `checkout_url`. */
export function checkoutPath(storeId: number, id: string): string {
  return `${orderPath(storeId, id)}/checkout`;
}
