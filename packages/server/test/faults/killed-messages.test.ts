import { randomInt } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apiAt } from "../harness/api.ts"
import { postmasterOf } from "../harness/data-dir.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { disagreements } from "../messaging/races.ts"
import { type MessageClients, startMessageClients } from "./clients/message-clients.ts"

const cycles = Number(process.env["HEARTH_FAULT_CYCLES"] ?? 3)

interface Conversation {
  readonly unread_count: number
  readonly last_message: { readonly id: string }
}

interface Stored {
  readonly id: string
  readonly client_message_id: string
  readonly number: number
}

// Its tests are the steps of one story.
describe(`messages of a service that is killed ${cycles} times`, {
  shuffle: false,
  timeout: 120_000 + cycles * 30_000,
}, () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  const api = apiAt(() => server.url)
  let server: TestServer
  let project: TestProject
  let writers: ReadonlyArray<TestUser>
  let listener: TestUser
  let clients: MessageClients

  const start = async () => {
    server = await harness.server({ DATA_DIR: dataDir })
  }
  const stored = () =>
    sql.rows<Stored>(project.id, "select id, client_message_id, number from messages order by number desc")
  const seenBy = async (user: TestUser) => {
    const [seen] = await api.ok<ReadonlyArray<Conversation>>("GET", "/client/messaging/conversations", user.as)
    return seen
  }

  beforeAll(async () => {
    await start()
    project = await aProject(api)
    writers = await Promise.all([1, 2, 3, 4].map(() => aUser(api, project)))
    listener = await aUser(api, project)
    const [first, ...others] = writers as [TestUser, ...ReadonlyArray<TestUser>]
    const { id } = await api.ok<{ id: string }>("POST", "/client/messaging/conversations", first.as, {
      ...{ type: "group", participant_ids: [listener, ...others].map((user) => user.id) },
    })
    clients = startMessageClients(api, writers, id)
  })
  afterAll(async () => {
    await clients?.stop()
    await harness.clear()
  })

  it("are there once they were answered, and counted right after each start [I4.2]", async () => {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const before = clients.sent.size
      await expect.poll(() => clients.sent.size > before + 10, { interval: 5 }).toBe(true)
      await wait(randomInt(100))
      const answered = [...clients.sent]
      const pid = postmasterOf(dataDir)
      if (cycle % 3 === 2 && pid !== null) process.kill(pid, "SIGKILL")
      await server.end("SIGKILL")
      await start()
      const ids = new Map((await stored()).map(({ id, client_message_id }) => [client_message_id, id]))
      expect(answered.filter(([key, id]) => ids.get(key) !== id)).toEqual([])
      expect(await sql.rows(project.id, disagreements)).toEqual([])
      // The clients go on meanwhile.
      const least = (await stored()).length
      const unread = (await seenBy(listener))?.unread_count ?? 0
      expect(unread).toBeGreaterThanOrEqual(Math.min(100, least))
      expect(unread).toBeLessThanOrEqual((await stored()).length)
    }
  })

  it("are each there once, in one row of numbers, with one event each [I4.2, I4.4]", async () => {
    await clients.stop()
    const messages = await stored()
    const keys = new Set(messages.map(({ client_message_id }) => client_message_id))
    expect(keys.size).toBe(messages.length)
    expect([...clients.sent.keys()].filter((key) => !keys.has(key))).toEqual([])
    // At most the last message of each client was written and not answered.
    expect(messages.length - clients.sent.size).toBeLessThanOrEqual(writers.length)
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, at) => messages.length - at))
    const events = await sql.rows<{ readonly id: string }>(
      project.id,
      "select properties ->> 'message_id' as id from engagement_events where event_name = 'message_sent'",
    )
    expect(events.map(({ id }) => id).toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
  })

  it("are read by one who comes back, by whatever was killed [I4.2]", async () => {
    const [newest] = await stored()
    for (const user of [listener, ...writers]) {
      const { id } =
        (await api.ok<ReadonlyArray<{ id: string }>>("GET", "/client/messaging/conversations", user.as))[0] ?? {}
      await api.ok("POST", `/client/messaging/conversations/${id}/read`, user.as)
      expect(await seenBy(user)).toMatchObject({ unread_count: 0, last_message: { id: newest?.id } })
    }
  })
})
