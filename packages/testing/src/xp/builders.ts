import type { XpAward, XpEntry } from "@hearth/core/xp"
import { anId, builtAt, type Given } from "../builders.ts"

/** An entry of the ledger: 10 XP that a developer gave. */
export const anXpEntry = (given: Given<XpEntry, "app_user_id">): XpEntry => {
  const id = anId()
  return {
    id,
    amount: 10,
    source: "admin",
    reference_id: null,
    cause_key: `admin/${id}`,
    occurred_at: new Date(builtAt),
    created_at: new Date(builtAt),
    is_ranked: false,
    ...given,
  }
}

/** An award of 10 XP with a cause of its own. */
export const anXpAward = (given: Given<XpAward, "app_user_id">): XpAward => {
  const { id: _, created_at: __, is_ranked: ___, ...award } = anXpEntry(given)
  return award
}
