import { newsContract } from "@hearth/testing/contracts"
import { afterAll, expect, it } from "vitest"
import { forbidConnections, terminateListeners } from "../revocations/listeners.ts"
import { testServer } from "../server.ts"

newsContract("postgres", async () => {
  const server = testServer()
  const [one, other] = [await server.open(), await server.open()]
  return { processes: [one, other], project: () => server.project(one), close: server.close }
})

const server = testServer()
afterAll(server.close)

it("wakes who listens once it hears again: it may have missed something", async () => {
  const postgres = await server.open()
  let woken = 0
  const end = postgres.news.watch(await server.project(postgres), () => {
    woken += 1
  })
  await forbidConnections(server, true)
  await terminateListeners(server)
  await expect.poll(postgres.revocations.isHearing, { interval: 5 }).toBe(false)
  expect(woken).toBe(0)
  await forbidConnections(server, false)
  await expect.poll(() => woken).toBeGreaterThan(0)
  end()
})
