/** The sales figures: sections 2.8, 4.6 and 4.7. */
import * as z from "zod/mini";

export const dateFields = ["created_at", "scheduled_date"] as const;
export type DateField = (typeof dateFields)[number];

/** Section 4.7. */
export const temporalDimensions = ["hour", "day", "day_of_week", "week", "month"] as const;
export const categoricalDimensions = [
  "order_type",
  "order_timing",
  "sales_channel",
  "customer_origin",
  "payment_method_id",
  "driver_id",
  "status",
] as const;
export const dimensions = [...temporalDimensions, ...categoricalDimensions] as const;
export type Dimension = (typeof dimensions)[number];

/** The label of the orders that have no driver (section 4.7, rule 3). */
export const noDriverLabel = "Não informado";

const metrics = {
  total_order_count: z.int(),
  total_revenue: z.number(),
  average_order_value: z.number(),
};

/** Section 2.8. Amounts are in the store's currency. */
export const summarySchema = z.looseObject(metrics);
export type Summary = z.infer<typeof summarySchema>;

/** Section 2.8. The type of `key` is not shown; it is null for the orders that have no value. */
export const groupSchema = z.looseObject({
  key: z.nullable(z.union([z.string(), z.number(), z.boolean()])),
  label: z.nullable(z.string()),
  ...metrics,
});
export type Group = z.infer<typeof groupSchema>;

/** Section 4.7, rule 4. */
export const groupedSummarySchema = z.looseObject({
  group_by: z.string(),
  groups: z.array(groupSchema),
});
export type GroupedSummary = z.infer<typeof groupedSummarySchema>;

/** Section 4.6: the parameters beside the filters. */
export const summaryQuerySchema = z.object({
  start_date: z.string(),
  end_date: z.string(),
  date_field: z.optional(z.enum(dateFields)),
});

/** Section 4.7. */
export const groupedSummaryQuerySchema = z.extend(summaryQuerySchema, { group_by: z.enum(dimensions) });
