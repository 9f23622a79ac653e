import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import { makeReviewRaces } from "./races.ts"

describe("races for one item over two servers", () => {
  const harness = makeHarness()
  let races: ReturnType<typeof makeReviewRaces>

  beforeAll(async () => {
    const { environment, sql } = await harness.database()
    const [one, two] = [await harness.server(environment), await harness.server(environment)]
    races = makeReviewRaces([one.api, two.api], await aProject(one.api), sql)
  })
  afterAll(harness.clear, 30_000)

  // More of them: `pnpm test:faults races 500`.
  it("leave a count and an average that equal a recount, with 20 writing, approving and leaving at once [I5.2]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["reviews of one item"]()).toEqual([])
  })

  it("make one item and one review per user [I5.1]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["first reviews"]()).toEqual([])
  })
})
