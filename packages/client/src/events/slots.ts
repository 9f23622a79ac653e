import { type Locks, surroundings } from "../surroundings.ts"

/** A place in the storage that one client writes to. */
export interface Slot {
  readonly key: string
  release(): void
}

interface Place {
  /** Whose it is. Each writes to a storage of its own. */
  readonly owners: Set<{ readonly storage: object }>
  /** Lets other tabs have it. */
  readonly free: () => void
}

// With more tabs than this, the last ones keep their events in memory.
const mostSlots = 16

/** The places that clients of this process have. */
const places = new Map<string, Place>()

/** All places that there may be. Clients that write to one place would overwrite what the others have added. */
export const slotsOf = (key: string): ReadonlyArray<string> =>
  Array.from({ length: mostSlots }, (_, index) => `${key}.${index}`)

/** Answers how to unlock it; null where another tab has it. */
const tryLock = (locks: Locks, name: string): Promise<(() => void) | null> =>
  new Promise((resolve) => {
    const hold = (lock: unknown): Promise<void> | undefined => {
      if (lock === null) return void resolve(null)
      return new Promise((release) => resolve(release))
    }
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(null))
  })

const own = (key: string, place: Place, storage: object): Slot => {
  const owner = { storage }
  places.set(key, place)
  place.owners.add(owner)
  const release = () => {
    if (!place.owners.delete(owner) || place.owners.size > 0) return
    places.delete(key)
    place.free()
  }
  return { key, release }
}

/** Claims a place that nobody has, in this process and in others. */
const claimFree = async (storage: object, key: string): Promise<Slot | null> => {
  if (places.has(key)) return null
  const locks = surroundings().navigator?.locks
  // Without locks nothing may come between the look and the claim.
  if (locks === undefined) return own(key, { owners: new Set(), free: () => {} }, storage)
  const free = await tryLock(locks, key)
  return free === null ? null : own(key, { owners: new Set(), free }, storage)
}

/**
 * Claims a place in a storage, or the first that is free; null where there is none. It is free again when it is released or the tab is gone.
 * Clients of one process share a place only where their storages are different objects, and only when nothing else is free.
 */
export const claimSlot = async (storage: object, key: string, wanted?: string): Promise<Slot | null> => {
  const names = wanted === undefined ? slotsOf(key) : [wanted]
  for (const name of names) {
    const slot = await claimFree(storage, name)
    if (slot !== null) return slot
  }
  for (const name of names) {
    const place = places.get(name)
    if (place !== undefined && ![...place.owners].some((owner) => owner.storage === storage)) {
      return own(name, place, storage)
    }
  }
  return null
}
