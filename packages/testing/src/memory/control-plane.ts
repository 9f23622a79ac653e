import { type ControlDb, type ControlPlane, ServiceUnavailable } from "@hearth/core"
import { Effect } from "effect"
import { controlParts } from "../features.ts"
import { memoryDatabase } from "./database.ts"
import { lazyDb } from "./lazy-db.ts"

const clock = { now: () => new Date() }

const controlDb = lazyDb<ControlDb>(controlParts, clock, {})

/** The control plane in memory. */
export interface MemoryControlPlane extends ControlPlane<ControlDb> {
  /** Makes it unreachable, or reachable again. Work that is under way dies too. */
  unreachable(isUnreachable: boolean): void
}

/** An empty control plane in memory. Its transactions overlap, and wait for one another's locks as on PostgreSQL. */
export const memoryControlPlane = (): MemoryControlPlane => {
  let isAway = false
  const requireReachable = () => {
    if (isAway) throw new ServiceUnavailable()
  }
  const database = memoryDatabase(
    controlParts.flatMap(({ shapes }) => shapes),
    requireReachable,
  )
  const outside = controlDb(database.outside)
  return {
    read: (work) => Effect.suspend(() => work(outside)),
    transact: (work) => database.transact((statements) => work(controlDb(statements))),
    unreachable: (isUnreachable) => {
      isAway = isUnreachable
    },
  }
}
