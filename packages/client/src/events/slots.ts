import { type Locks, surroundings } from "../surroundings.ts"

/** A place in the storage that one tab writes to. */
export interface Slot {
  readonly key: string
  release(): void
}

// With more tabs than this, the last ones keep their events in memory.
const mostSlots = 16

/** All places that there may be. Tabs that write to one place would overwrite what the others have added. */
export const slotsOf = (key: string): ReadonlyArray<string> =>
  surroundings().navigator?.locks === undefined
    ? [`${key}.0`]
    : Array.from({ length: mostSlots }, (_, index) => `${key}.${index}`)

const tryLock = (locks: Locks, name: string): Promise<Slot | null> =>
  new Promise((resolve) => {
    const hold = (lock: unknown): Promise<void> | undefined => {
      if (lock === null) return void resolve(null)
      return new Promise((release) => resolve({ key: name, release }))
    }
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(null))
  })

/** Claims a place, or the first that is free; null where there is none. It is free again when it is released or the tab is gone. */
export const claimSlot = async (key: string, wanted?: string): Promise<Slot | null> => {
  const locks = surroundings().navigator?.locks
  if (locks === undefined) return { key: wanted ?? `${key}.0`, release: () => {} }
  for (const name of wanted === undefined ? slotsOf(key) : [wanted]) {
    const slot = await tryLock(locks, name)
    if (slot !== null) return slot
  }
  return null
}
