import type { Background } from "@hearth/core"
import { describeLostKeys } from "@hearth/core/integrations"
import { Effect } from "effect"
import type { Log } from "../system/log.ts"

/** Where the keys are listed, and whether what needs a key that is not there may be forgotten. */
export interface SecretKeyOptions {
  readonly place: string
  readonly forgetsLost: boolean
  /** How to say that it may be forgotten, as the end of a sentence. That of an executable where left out. */
  readonly remedy?: string
}

/**
 * Looks at the start whether the keys open all secrets, and rejects with a sentence where they do not [H1.2]. Then seals with the
 * first key what is sealed with older ones, and says in the log whether these are still needed.
 */
export const checkSecretKeys = async (
  { secretKeys }: Pick<Background, "secretKeys">,
  { place, forgetsLost, remedy }: SecretKeyOptions,
  log: Log,
): Promise<void> => {
  const lost = await Effect.runPromise(secretKeys.findLost())
  if (lost.length > 0 && !forgetsLost) throw new Error(describeLostKeys(lost, place, remedy))
  if (lost.length > 0) log("warn", "integrations have no secret until it is set again: their key is lost", { lost })
  const { integrations, left, older } = await Effect.runPromise(secretKeys.sealAgain())
  if (older.length === 0) return
  if (left.length > 0) log("warn", `older keys in ${place} are still needed`, { integrations, left })
  // A key behind the first may also be one that is to be put in front: of that one nobody may hear that it is needed no more.
  else if (integrations === 0)
    log("info", `nothing is encrypted with the keys behind the first in ${place}`, { keys: older })
  else log("info", `the older keys in ${place} are needed no more`, { integrations, older })
}
