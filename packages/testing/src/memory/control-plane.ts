import type { ControlDb, ControlPlane } from "@hearth/core"
import { Effect } from "effect"
import { sumUp } from "../feature.ts"
import { controlParts } from "../features.ts"
import { memoryDatabase, type Statements } from "./database.ts"

const clock = { now: () => new Date() }

const controlDb = (statements: Statements): ControlDb =>
  sumUp(controlParts.map((part) => part.make({ statements, clock, sections: {} })))

/** An empty control plane in memory. Its transactions run one after the other. */
export const memoryControlPlane = (): ControlPlane<ControlDb> => {
  const database = memoryDatabase(controlParts.flatMap(({ shapes }) => shapes))
  const outside = controlDb(database.outside)
  return {
    read: (work) => Effect.suspend(() => work(outside)),
    transact: (work) => database.transact((statements) => work(controlDb(statements))),
  }
}
