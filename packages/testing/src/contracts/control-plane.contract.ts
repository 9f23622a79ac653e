import { afterAll, beforeAll, describe } from "vitest"
import { controlParts } from "../features.ts"
import { type ControlPlaneHarness, controlDatabase } from "./database-under-test.ts"

/** What every control plane promises. `make` answers one that only this suite uses: it empties its tables. */
export const controlPlaneContract = (name: string, make: () => Promise<ControlPlaneHarness>) =>
  describe(`control plane: ${name}`, () => {
    let harness: ControlPlaneHarness
    beforeAll(async () => {
      harness = await make()
    })
    afterAll(() => harness?.close())
    const open = async () => controlDatabase(harness.control)

    for (const { contracts } of controlParts) for (const contract of contracts) contract(open)
  })
