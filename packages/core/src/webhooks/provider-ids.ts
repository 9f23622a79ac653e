import { isObject, isText } from "../schema.ts"
import type { InboxEntry } from "./inbox-entry.ts"

// Longer ones can be nobody's: an external id has at most 255 characters, the other ids have fewer.
const longestId = 255
// An entry that names more waits for the first of them.
const mostIds = 1_000

// A number stands for its text, as where events are read.
const listTexts = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value])
    .map((each) => (typeof each === "number" ? String(each) : each))
    .filter((each) => isText(each, 1, longestId))

/**
 * The provider's ids of users whom an entry names, each once, in the order in which they are looked up [H2.2, H3.1]. At most
 * 1,000, each of 1 to 255 characters.
 */
export const listProviderIds = ({
  provider,
  payload,
}: Pick<InboxEntry, "provider" | "payload">): ReadonlyArray<string> => {
  if (payload === null) return []
  const inner = payload[provider === "subscription" ? "event" : "data"]
  const { app_user_id, aliases, original_app_user_id, transferred_to, transferred_from, originalAppUserId } = isObject(
    inner,
  )
    ? (inner as Readonly<Record<string, unknown>>)
    : {}
  const named =
    provider === "subscription"
      ? [app_user_id, aliases, original_app_user_id, transferred_to, transferred_from]
      : [payload["user_id"], originalAppUserId]
  return [...new Set(named.flatMap(listTexts))].slice(0, mostIds)
}
