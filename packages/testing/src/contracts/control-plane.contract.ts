import { ServiceUnavailable } from "@hearth/core"
import { Cause, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { aProject } from "../projects/builders.ts"
import { type ControlPlaneHarness, controlDatabase } from "./database-under-test.ts"
import { controlSuites } from "./suites.ts"

/** What every control plane promises. `make` answers one that only this suite uses: it empties its tables. */
export const controlPlaneContract = (name: string, make: () => Promise<ControlPlaneHarness>) =>
  describe(`control plane: ${name}`, () => {
    let harness: ControlPlaneHarness
    beforeAll(async () => {
      harness = await make()
    })
    afterAll(() => harness?.close())
    const open = async () => controlDatabase(harness.control)

    it("dies with `ServiceUnavailable` while it cannot be reached, and works again after that", async () => {
      const { read, transact, attempt, attemptRead } = await open()
      const project = aProject({ id: anId() })
      await transact((db) => db.projects.insert(project))
      await harness.unreachable(true)
      const exits = [
        await attemptRead((db) => db.projects.find({ id: project.id })),
        await attempt((db) => db.projects.remove({ id: project.id })),
      ]
      await harness.unreachable(false)
      for (const exit of exits) {
        const defects = exit._tag === "Failure" ? exit.cause.reasons.filter(Cause.isDieReason) : []
        expect(defects.map(({ defect }) => defect)).toEqual([expect.any(ServiceUnavailable)])
      }
      expect(Option.isSome(await read((db) => db.projects.find({ id: project.id })))).toBe(true)
      await transact((db) => db.projects.remove({ id: project.id }))
    })

    for (const contract of controlSuites) contract(open)
  })
