import type { KeyObject } from "node:crypto"
import type { Clock } from "@hearth/core"
import type { KeySet } from "./key-set.ts"

/** The signing keys of one provider. */
export interface SigningKeys {
  /** The key with that id, undefined where the provider has none. Rejects when the provider does not answer. */
  find(kid: string): Promise<KeyObject | undefined>
}

/** How signing keys are fetched and cached. */
export interface SigningKeysSettings {
  readonly clock: Clock
  readonly fetchKeys: () => Promise<KeySet>
  /** Called after every fetch that failed. */
  readonly onFailure: (cause: unknown) => void
}

/** An unknown id is a new key, or is made up: one fetch in this time is enough for all unknown ids. */
const FORCED_EVERY = 30_000

/** With cached keys, a provider that is down is asked at most this often. */
const RETRY_WITH_KEYS = 30_000

/** Without keys nobody can sign in, so it is retried soon, but not by every request. */
const RETRY_WITHOUT_KEYS = 1_000

/**
 * Caches a provider's keys for as long as it allows. At most one fetch is under way, and callers who need its answer wait for it.
 * A fetch that fails removes no key [B9]. jose's `createRemoteJWKSet` does not do this: its cooldown begins with the first
 * load, expired keys are lost when the fetch fails, and it reads the time of the machine.
 */
export const cacheSigningKeys = ({ clock, fetchKeys, onFailure }: SigningKeysSettings): SigningKeys => {
  let held: (KeySet & { readonly atMillis: number }) | undefined
  let failure: { readonly cause: unknown; readonly atMillis: number } | undefined
  let forcedAt: number | undefined
  let loading: Promise<void> | undefined

  const isWithin = (duration: number, sinceMillis: number | undefined) => isRecent(clock, duration, sinceMillis)
  const failedWithin = (duration: number) => isWithin(duration, failure?.atMillis)

  const load = async () => {
    try {
      const set = await fetchKeys()
      held = { ...set, atMillis: clock.now().getTime() }
      failure = undefined
    } catch (cause) {
      failure = { cause, atMillis: clock.now().getTime() }
      onFailure(cause)
    }
  }
  const reload = () => {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  const isDue = () => {
    if (held === undefined) return !failedWithin(RETRY_WITHOUT_KEYS)
    return !isWithin(held.maxAgeMillis, held.atMillis) && !failedWithin(RETRY_WITH_KEYS)
  }
  const mayForce = () => !failedWithin(RETRY_WITH_KEYS) && !isWithin(FORCED_EVERY, forcedAt)

  const askAgain = async () => {
    if (mayForce()) {
      forcedAt = clock.now().getTime()
      await reload()
    } else {
      await loading
    }
  }

  return {
    find: async (kid) => {
      if (isDue()) await reload()
      if (held?.keys.has(kid) !== true) await askAgain()
      const key = held?.keys.get(kid)
      if (key === undefined && failure !== undefined) throw failure.cause
      return key
    },
  }
}

const isRecent = (clock: Clock, duration: number, sinceMillis = Number.NEGATIVE_INFINITY) => {
  const age = clock.now().getTime() - sinceMillis
  // A clock that was set back must not stretch a duration by hours.
  return age >= 0 && age < duration
}
