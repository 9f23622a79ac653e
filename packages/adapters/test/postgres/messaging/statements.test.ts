import { testWorld } from "@hearth/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type TestServer, testServer } from "../server.ts"
import { watchStatements } from "../watch-statements.ts"

/** The statements that `work` sends, but for those that begin and end transactions. */
const recordStatements = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const sent: Array<string> = []
  const unwatch = watchStatements(({ text }) => sent.push(text.trim()))
  try {
    await work()
  } finally {
    unwatch()
  }
  return sent.filter((text) => !/^(begin|commit)\b/.test(text))
}

describe("the statements of messaging", () => {
  let server: TestServer
  let world: ReturnType<typeof testWorld>
  let projectId: string
  const users: Array<string> = []

  beforeAll(async () => {
    server = testServer()
    const postgres = await server.open()
    world = testWorld({ ports: () => ({ tenants: postgres.tenants }) })
    ;({ projectId } = await world.aProjectWithOwner())
    for (let user = 0; user < 100; user += 1) users.push((await world.aSignedInUser(projectId)).userId)
  })
  afterAll(() => server.close())

  const open = async (type: "direct" | "group", participant_ids: ReadonlyArray<string>) => {
    const opened = world.core.conversations.open(projectId, users[0] ?? "", { type, participant_ids, name: null })
    return (await world.run(opened)).row.id
  }
  const send = (id: string, named: object = {}) =>
    world.run(world.core.messages.send(projectId, users[0] ?? "", id, { body: "hello", ...named }))
  const countSent = async (id: string, named: object = {}) => {
    await send(id)
    return (await recordStatements(() => send(id, named))).length
  }

  it("are 3 for a message to 100 with unread counts, named or not; one more looks for blocks between two [I4.2]", async () => {
    const [group, direct] = [await open("group", users.slice(1)), await open("direct", users.slice(1, 2))]
    expect(await countSent(group)).toBe(3)
    expect(await countSent(group, { client_message_id: "c-1" })).toBe(3)
    // An hour later it moves in the lists of all 100, by the same statements.
    world.clock.advance("1 hour")
    // What is known of the rules of moderation is read again from time to time.
    await send(direct)
    expect(await recordStatements(() => send(group))).toHaveLength(3)
    expect(await countSent(direct)).toBe(4)
    const { rows } = await world.run(
      world.core.conversations.list(projectId, users[99] ?? "", { limit: 10, offset: 0 }),
    )
    expect(rows).toMatchObject([{ id: group, unread_count: 5, participant_count: 100 }])
  })

  it("are 2 for a list of conversations, however many there are", async () => {
    const list = () => world.run(world.core.conversations.list(projectId, users[0] ?? "", { limit: 50, offset: 0 }))
    await list()
    expect(await recordStatements(list)).toHaveLength(2)
  })
})
