import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import { makeContentRaces } from "./races.ts"

describe("races in libraries over two servers", () => {
  const harness = makeHarness()
  let races: ReturnType<typeof makeContentRaces>

  beforeAll(async () => {
    const { environment } = await harness.database()
    const [one, two] = [await harness.server(environment), await harness.server(environment)]
    races = makeContentRaces([one.api, two.api], await aProject(one.api))
  })
  afterAll(harness.clear, 30_000)

  // More of them: `pnpm test:faults races 500`.
  it("give 20 inserts at once numbers that are unique and without gaps [I1.2]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["library places"]()).toEqual([])
  })

  it("leave every item of an author who is removed meanwhile, and to nobody [I0.4]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["author removal"]()).toEqual([])
  })

  it("remove a library once, with all that is written at the same time [I1.1]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["library removal"]()).toEqual([])
  })
})
