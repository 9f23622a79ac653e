import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { AccountLink } from "./account-link.ts"

/** The identities of the user. */
export const accountLinksSection: TableSection = {
  name: "account_links",
  key: ["id"],
  columns: describeColumns(AccountLink),
}
