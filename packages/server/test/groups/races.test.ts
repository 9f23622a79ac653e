import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import { makeGroupRaces } from "./races.ts"

describe("races in groups over two servers", () => {
  const harness = makeHarness()
  let races: ReturnType<typeof makeGroupRaces>

  beforeAll(async () => {
    const { environment } = await harness.database()
    const [one, two] = [await harness.server(environment), await harness.server(environment)]
    races = makeGroupRaces([one.api, two.api], await aProject(one.api))
  })
  afterAll(harness.clear, 30_000)

  // More of them: `pnpm test:faults races 500`.
  it("let exactly 5 of 30 into 5 places [I2.2]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["group places"]()).toEqual([])
  })

  it("let as many in as an invite has uses [I2.5]", async () => {
    for (let round = 0; round < 2; round += 1) expect(await races["invite uses"]()).toEqual([])
  })

  it("leave one owner, and members that are counted right, whatever happens at once [I2.1, I2.6]", async () => {
    for (let round = 0; round < 5; round += 1) expect(await races["group changes"]()).toEqual([])
  })
})
