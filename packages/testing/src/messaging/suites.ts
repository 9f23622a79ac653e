import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { conversationsContract } from "./conversations.contract.ts"
import { messagesContract } from "./messages.contract.ts"
import { conversations, conversationsSectionContract, messages, messagesSectionContract } from "./tables.ts"

/** What every adapter promises about messaging. */
export const messagingSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, conversations),
    (open) => tableContract(open, messages),
    conversationsContract,
    messagesContract,
    conversationsSectionContract,
    messagesSectionContract,
  ],
}
