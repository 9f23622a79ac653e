import type { PushAccount } from "@hearth/core/push"
import type { PushClient } from "./send-batch.ts"

/** The clients of accounts, kept for their connections and tokens. */
export interface PushAccounts {
  /** The client of an account, made when its credentials are new. */
  find(account: PushAccount): PushClient
  close(): Promise<void>
}

interface Kept {
  readonly version: string
  readonly client: PushClient
}

/**
 * Keeps the clients of the `capacity` accounts that were used last. One whose credentials have changed, or that was not used for
 * longest, finishes what it has under way and hangs up.
 */
export const keepPushAccounts = (makeClient: (account: PushAccount) => PushClient, capacity = 200): PushAccounts => {
  const kept = new Map<string, Kept>()
  const closing = new Set<Promise<void>>()

  const release = ({ client }: Kept) => {
    const closed = client.close().finally(() => closing.delete(closed))
    closing.add(closed)
  }
  return {
    find: (account) => {
      const name = `${account.project_id}/${account.provider}`
      const found = kept.get(name)
      kept.delete(name)
      if (found !== undefined && found.version !== account.version) release(found)
      const current =
        found?.version === account.version ? found : { version: account.version, client: makeClient(account) }
      // A map keeps the order in which its keys were set: the first one was not used for longest.
      kept.set(name, current)
      for (const [oldest, one] of kept) {
        if (kept.size <= capacity) break
        kept.delete(oldest)
        release(one)
      }
      return current.client
    },
    close: async () => {
      for (const one of kept.values()) release(one)
      kept.clear()
      await Promise.all(closing)
    },
  }
}
