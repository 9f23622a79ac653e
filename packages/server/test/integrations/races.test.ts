import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { integrationConfigs } from "../harness/integrations.ts"

describe("an integration under races", () => {
  const harness = makeHarness()
  let servers: readonly [TestServer, TestServer]
  let project: TestProject

  beforeAll(async () => {
    const { environment } = await harness.database()
    servers = [await harness.server(environment), await harness.server(environment)]
    project = await aProject(servers[0].api)
  })
  afterAll(harness.clear)

  it("is set and removed without a call that fails, and is there once [H1.1]", async () => {
    const { admin, owner } = project
    const { paywall: config } = integrationConfigs()
    const call = (turn: number, method: "PUT" | "DELETE", body?: object) =>
      servers[turn % 2 === 0 ? 0 : 1].api.call(method, `${admin}/integrations/paywall`, owner.as, body)
    const lanes = Array.from({ length: 12 }, async (_, lane) => {
      const statuses: Array<number> = []
      for (let turn = 0; turn < 25; turn += 1) {
        const isRemoval = (lane + turn) % 3 === 0
        statuses.push((await (isRemoval ? call(lane, "DELETE") : call(lane, "PUT", { config }))).status)
      }
      return statuses
    })
    expect(new Set((await Promise.all(lanes)).flat())).toEqual(new Set([200]))
    await call(0, "PUT", { config })
    expect(await servers[1].api.ok("GET", `${admin}/integrations`, owner.as)).toHaveLength(1)
  })
})
