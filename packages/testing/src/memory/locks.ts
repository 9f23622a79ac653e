import type { RowLock } from "@hearth/core"
import { Effect } from "effect"

/** Holds locks until it ends. */
export type Owner = object

// PostgreSQL's table of conflicts between row locks.
const conflicts: Readonly<Record<RowLock, ReadonlySet<RowLock>>> = {
  "key share": new Set(["update"]),
  share: new Set(["no key update", "update"]),
  "no key update": new Set(["share", "no key update", "update"]),
  update: new Set(["key share", "share", "no key update", "update"]),
}

/** A lock that cannot be taken yet. Statements throw it: they are undone, and run again when it may be free. */
export class Blocked {
  readonly key: string
  readonly mode: RowLock
  constructor(key: string, mode: RowLock) {
    this.key = key
    this.mode = mode
  }
}

/** Transactions wait for one another in a circle. The one that closed it ends with this, as with PostgreSQL's 40P01. */
export class Deadlock extends Error {
  override readonly name = "Deadlock"
  constructor(key: string) {
    super(`Deadlock: the lock of ${key} is held by a transaction that waits for this one.`)
  }
}

/** The locks of one database, by any key. */
export interface Locks {
  /** Takes a lock, or throws `Blocked`. */
  take(owner: Owner, key: string, mode: RowLock): void
  /** Whether `take` would answer. */
  isFree(owner: Owner, key: string, mode: RowLock): boolean
  /** Waits until the lock may be free. Dies with `Deadlock` where it never will be. */
  wait(owner: Owner, blocked: Blocked): Effect.Effect<void>
  /** Releases all locks of an owner. */
  release(owner: Owner): void
}

/** Locks that nobody holds. */
export const makeLocks = (): Locks => {
  const held = new Map<string, Map<Owner, Set<RowLock>>>()
  const keysOf = new Map<Owner, Set<string>>()
  /** In the order in which they began to wait. */
  const waiting = new Map<Owner, Blocked & { readonly wake: () => void }>()

  const blockersOf = (owner: Owner, { key, mode }: Blocked): ReadonlyArray<Owner> =>
    [...(held.get(key) ?? [])]
      .filter(([holder, modes]) => holder !== owner && [...modes].some((taken) => conflicts[mode].has(taken)))
      .map(([holder]) => holder)
  const isFree = (owner: Owner, key: string, mode: RowLock) =>
    !held.has(key) || blockersOf(owner, { key, mode }).length === 0

  /** Whether one of those for whom `waiter` waits, for whom they wait and so on, waits for `owner`. */
  const leadsTo = (owner: Owner, waiter: Owner, seen: Set<Owner>): boolean => {
    const blocked = waiting.get(waiter)
    if (blocked === undefined) return false
    return blockersOf(waiter, blocked).some((blocker) => {
      if (blocker === owner) return true
      if (seen.has(blocker)) return false
      return leadsTo(owner, blocker, seen.add(blocker))
    })
  }

  return {
    isFree,
    take: (owner, key, mode) => {
      if (held.get(key)?.get(owner)?.has(mode)) return
      if (!isFree(owner, key, mode)) throw new Blocked(key, mode)
      const holders = held.get(key) ?? new Map<Owner, Set<RowLock>>()
      const keys = keysOf.get(owner) ?? new Set<string>()
      held.set(key, holders.set(owner, (holders.get(owner) ?? new Set()).add(mode)))
      keysOf.set(owner, keys.add(key))
    },
    wait: (owner, { key, mode }) =>
      Effect.callback<void>((resume) => {
        waiting.set(owner, { key, mode, wake: () => resume(Effect.void) })
        const stop = () => waiting.delete(owner)
        if (leadsTo(owner, owner, new Set())) {
          stop()
          resume(Effect.die(new Deadlock(key)))
        }
        return Effect.sync(stop)
      }),
    release: (owner) => {
      const keys = keysOf.get(owner)
      if (keys !== undefined) {
        for (const key of keys) {
          const holders = held.get(key)
          holders?.delete(owner)
          if (holders?.size === 0) held.delete(key)
        }
        keysOf.delete(owner)
      }
      if (waiting.size === 0) return
      for (const [waiter, blocked] of [...waiting]) {
        if (!isFree(waiter, blocked.key, blocked.mode)) continue
        waiting.delete(waiter)
        blocked.wake()
      }
    },
  }
}
