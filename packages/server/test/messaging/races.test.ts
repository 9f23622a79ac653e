import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject } from "../harness/fixtures.ts"
import { makeHarness } from "../harness/harness.ts"
import { makeMessagingRaces } from "./races.ts"

describe("races in conversations over two servers", () => {
  const harness = makeHarness()
  let races: ReturnType<typeof makeMessagingRaces>

  beforeAll(async () => {
    const { environment, sql } = await harness.database()
    const [one, two] = [await harness.server(environment), await harness.server(environment)]
    const project = await aProject(one.api)
    races = makeMessagingRaces([one.api, two.api], project, (text) => sql.rows(project.id, text))
  })
  afterAll(harness.clear, 30_000)

  // More of them: `pnpm test:faults races 500`.
  it("leave one direct conversation of 20 that a pair opens at once [I4.1]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["direct conversation"]()).toEqual([])
  })

  it("leave what is stored in order, whoever writes, reads, joins, leaves, deletes or is removed [I4.2, I0.4]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["group conversation"]()).toEqual([])
  })

  it("remove a conversation with the last of those who go at once [I4.2, I0.4]", async () => {
    for (let round = 0; round < 3; round += 1) expect(await races["last to leave"]()).toEqual([])
  })
})
