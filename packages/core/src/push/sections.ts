import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { PushDelivery } from "./deliveries/delivery.ts"
import { PushToken } from "./push-token.ts"

/** The devices of the user. */
export const pushTokensSection: TableSection = {
  name: "push_tokens",
  key: ["id"],
  columns: describeColumns(PushToken),
}

/** What the user was sent by campaigns. */
export const pushDeliveriesSection: TableSection = {
  name: "push_deliveries",
  key: ["id"],
  columns: describeColumns(PushDelivery),
}
