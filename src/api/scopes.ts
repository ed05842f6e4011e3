/** A token may be good for these scopes: section 5.3. */
export const scopes = {
  store: "Store data and payment methods",
  orders: "Read, create and change orders, summaries",
  drivers: "Assign or remove order drivers (used together with orders)",
  catalog: "Catalog read and management",
  customers: "Customers of the store",
  coupons: "Discount coupons",
  reviews: "Reviews",
} as const;
export type Scope = keyof typeof scopes;
