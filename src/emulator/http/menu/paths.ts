/** Where the digital menu's pages are: what the specification writes as {preview_url}. */
export const menuPath = "/menu";

export const menuStylesheet = `${menuPath}/style.css`;

/** The page that opens a pre-filled order: the path of `order_url`. */
export function orderPath(storeId: number, id: string): string {
  return `${menuPath}/${storeId}/prefilled/${id}`;
}

/** The path of `checkout_url`. */
export function checkoutPath(storeId: number, id: string): string {
  return `${orderPath(storeId, id)}/checkout`;
}
