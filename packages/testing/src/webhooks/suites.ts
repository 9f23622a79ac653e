import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { inboxContract } from "./inbox.contract.ts"
import { inboxUsersContract } from "./inbox-users.contract.ts"
import { webhookInboxSectionContract } from "./sections.contract.ts"

/** What every adapter promises about webhooks. */
export const webhooksSuites: FeatureSuites = {
  tenant: [inboxContract, inboxUsersContract, webhookInboxSectionContract],
}
