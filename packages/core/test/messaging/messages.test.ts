import { describe, expect, it } from "vitest"
import { messagingWorld } from "./world.ts"

const nobody = "019b76da-a800-7000-8000-00000000dead"

describe("writing", () => {
  it("answers the message with its sender, and tells message_sent once [I4.2, I4.4]", async () => {
    const { run, send, group, sent, ada } = await messagingWorld()
    const id = await group()
    const { created, row } = await run(send(id, ada, "hello"))
    expect([created, row]).toMatchObject([
      true,
      { conversation_id: id, sender_id: ada, body: "hello", sender: { id: ada, avatar_url: null } },
    ])
    expect(await sent(ada)).toEqual([{ conversation_id: id, message_id: row.id }])
  })

  it("is for those who take part [I4.2]", async () => {
    const { code, send, direct, leave, group, run, read, core, projectId, ada, eve } = await messagingWorld()
    const id = await direct()
    for (const conversation of [id, nobody]) {
      expect(await code(send(conversation, eve, "hi"))).toBe("NOT_PARTICIPANT")
      expect(await code(read(conversation, eve))).toBe("NOT_PARTICIPANT")
      const listing = core.messages.list(projectId, eve, conversation, { limit: 1, offset: 0, before: nobody })
      expect(await code(listing)).toBe("NOT_PARTICIPANT")
    }
    const team = await group()
    await run(leave(team, ada))
    expect(await code(send(team, ada, "hi"))).toBe("NOT_PARTICIPANT")
  })

  it("is refused in a direct conversation after a block, not in groups, which stay visible [I4.3]", async () => {
    const { code, run, send, direct, group, block, say, bodies, list, ada, bob } = await messagingWorld()
    const [pair, team] = [await direct(), await group()]
    await say(pair, ada, "before")
    await block(bob, ada)
    expect([await code(send(pair, ada, "x")), await code(send(pair, bob, "x"))]).toEqual(["BLOCKED", "BLOCKED"])
    await run(send(team, ada, "to all"))
    expect([await bodies(team, bob), await bodies(pair, bob)]).toEqual([["to all"], ["before"]])
    expect((await list(bob)).map(({ id }) => id)).toEqual([team, pair])
  })

  it("answers a repeat with the first message, and tells nobody again [I4.2]", async () => {
    const { run, send, group, together, sent, bodies, ada, bob } = await messagingWorld()
    const [id, other] = [await group(), await group()]
    const named = { client_message_id: "m-1" }
    const first = await run(send(id, ada, "hello", named))
    expect(await run(send(id, ada, "something else", named))).toEqual({ created: false, row: first.row })
    expect(await run(send(other, ada, "hello", named))).toMatchObject({ created: true })
    expect(await run(send(id, bob, "hello", named))).toMatchObject({ created: true })
    const exits = await together(Array.from({ length: 10 }, () => send(id, ada, "many", { client_message_id: "m-2" })))
    const created = exits.filter((exit) => exit._tag === "Success" && exit.value.created)
    expect([created.length, exits.every(({ _tag }) => _tag === "Success")]).toEqual([1, true])
    expect(await bodies(id, bob)).toEqual(["many", "hello", "hello"])
    expect(await sent(ada)).toHaveLength(3)
  })

  it("answers a repeat also where a block has come since [I4.2, I4.3]", async () => {
    const { code, run, send, direct, block, sent, bodies, ada, bob } = await messagingWorld()
    const id = await direct()
    const named = { client_message_id: "m-1" }
    const first = await run(send(id, ada, "hello", named))
    await block(bob, ada)
    expect(await run(send(id, ada, "hello", named))).toEqual({ created: false, row: first.row })
    expect(await code(send(id, ada, "hello", { client_message_id: "m-2" }))).toBe("BLOCKED")
    expect(await code(send(id, bob, "hello", named))).toBe("BLOCKED")
    expect([await bodies(id, bob), (await sent(ada)).length]).toEqual([["hello"], 1])
  })

  it("keeps bidi, zero-width and other odd characters as they are [I4.2]", async () => {
    const { run, send, open, bodies, ada, bob } = await messagingWorld()
    const odd = "\u202Eabc\u202C\u200B\u200D\uFEFF\u2066x\u2069🏳️‍🌈\u0000".replace("\u0000", "")
    const { row } = await run(open(ada, "group", [bob], odd))
    await run(send(row.id, ada, odd))
    expect([row.name, await bodies(row.id, bob)]).toEqual([odd, [odd]])
  })
})

describe("reading", () => {
  it("lists the newest first, between messages where these are given [I4.2]", async () => {
    const { code, group, direct, say, bodies, core, projectId, run, ada, bob } = await messagingWorld()
    const id = await group()
    const ids: Array<string> = []
    for (const body of ["1", "2", "3", "4"]) ids.push(await say(id, ada, body))
    const [first = "", second = "", , last = ""] = ids
    expect(await bodies(id, bob)).toEqual(["4", "3", "2", "1"])
    expect(await bodies(id, bob, { before: last })).toEqual(["3", "2", "1"])
    expect(await bodies(id, bob, { after: second })).toEqual(["4", "3"])
    expect(await bodies(id, bob, { after: first, before: last })).toEqual(["3", "2"])
    expect(await bodies(id, bob, { after: last, before: first })).toEqual([])
    const slice = { limit: 2, offset: 1, before: last }
    expect(await run(core.messages.list(projectId, bob, id, slice))).toMatchObject({
      ...{ rows: [{ body: "2" }, { body: "1" }], total: 4 },
    })
    const elsewhere = await say(await direct(), ada, "elsewhere")
    for (const messageId of [nobody, elsewhere])
      for (const range of [{ before: messageId }, { after: messageId }])
        expect(await code(core.messages.list(projectId, ada, id, { ...range, limit: 1, offset: 0 }))).toBe(
          "INVALID_CURSOR",
        )
  })

  it("counts what others wrote after the mark, which never moves back [I4.2]", async () => {
    const { run, group, say, list, read, ada, bob } = await messagingWorld()
    const id = await group()
    const unread = async (userId: string) => (await list(userId))[0]?.unread_count
    const first = await say(id, ada, "1")
    const second = await say(id, ada, "2")
    await say(id, ada, "3")
    expect([await unread(ada), await unread(bob)]).toEqual([0, 3])
    expect(await run(read(id, bob, second))).toMatchObject({ id, unread_count: 1 })
    expect(await run(read(id, bob, first))).toMatchObject({ unread_count: 1 })
    expect(await run(read(id, bob))).toMatchObject({ unread_count: 0 })
    await say(id, ada, "4")
    // Writing marks what is before it as read.
    await say(id, bob, "5")
    expect([await unread(ada), await unread(bob)]).toEqual([1, 0])
  })

  it("up to a message of another conversation is refused [I4.2]", async () => {
    const { code, group, direct, say, read, ada } = await messagingWorld()
    const [id, elsewhere] = [await group(), await say(await direct(), ada, "elsewhere")]
    expect([await code(read(id, ada, elsewhere)), await code(read(id, ada, nobody))]).toEqual([
      "NOT_FOUND",
      "NOT_FOUND",
    ])
  })

  it("lists conversations by their last message, the latest first [I4.1]", async () => {
    const { world, group, say, list, ada, bob } = await messagingWorld()
    const ids: Array<string> = []
    for (const _ of [1, 2, 3]) {
      ids.push(await group())
      world.clock.advance("50 minutes")
    }
    const [a = "", b = "", c = ""] = ids
    expect((await list(bob)).map(({ id }) => id)).toEqual([c, b, a])
    await say(a, bob, "up")
    world.clock.advance("3 hours")
    await say(b, ada, "further up")
    expect((await list(bob)).map(({ id, last_message }) => [id, last_message?.body])).toEqual([
      [b, "further up"],
      [a, "up"],
      [c, undefined],
    ])
  })
})

describe("removing", () => {
  it("an own message leaves it without a body, for everybody [I4.2]", async () => {
    const { run, code, core, projectId, group, say, bodies, list, leave, ada, bob } = await messagingWorld()
    const id = await group()
    const messageId = await say(id, ada, "oops")
    const remove = (userId: string, which = messageId) => core.messages.removeOwn(projectId, userId, which)
    expect([await code(remove(bob)), await code(remove(ada, nobody))]).toEqual(["NOT_FOUND", "NOT_FOUND"])
    expect(await bodies(id, bob)).toEqual(["oops"])
    await run(leave(id, ada))
    await run(remove(ada))
    await run(remove(ada))
    expect(await bodies(id, bob)).toEqual([null])
    expect((await list(bob))[0]?.last_message).toMatchObject({ id: messageId, body: null, sender_id: ada })
    const { rows } = await run(core.adminMessaging.messages(projectId, id, { limit: 9, offset: 0 }))
    expect(rows).toMatchObject([{ id: messageId, body: null }])
  })

  it("a message as a developer takes it out of the conversation", async () => {
    const { run, code, core, projectId, group, say, bodies, list, ada, bob } = await messagingWorld()
    const [id, other] = [await group(), await group()]
    await say(id, ada, "1")
    await say(other, ada, "other")
    const last = await say(id, ada, "2")
    expect((await list(bob)).map((each) => each.id)).toEqual([id, other])
    await run(core.adminMessaging.remove(projectId, last))
    await run(core.adminMessaging.remove(projectId, last))
    expect(await bodies(id, bob)).toEqual(["1"])
    expect(await list(bob)).toMatchObject([{ id: other }, { id, last_message: { body: "1" }, unread_count: 1 }])
    await say(id, ada, "3")
    expect(await bodies(id, bob)).toEqual(["3", "1"])
    expect(await code(core.adminMessaging.messages(projectId, nobody, { limit: 9, offset: 0 }))).toBe("NOT_FOUND")
    expect(await run(core.adminMessaging.stats(projectId))).toEqual({
      ...{ total_conversations: 2, total_messages: 3, active_conversations_24h: 2 },
    })
  })

  it("counts conversations with a message in the last 24 hours [I4.4]", async () => {
    const { world, run, core, projectId, group, say, ada } = await messagingWorld()
    const [id] = [await group(), await group()]
    await say(id, ada, "1")
    const active = async () => (await run(core.adminMessaging.stats(projectId))).active_conversations_24h
    expect(await active()).toBe(1)
    world.clock.advance("24 hours")
    expect(await active()).toBe(1)
    world.clock.advance("1 second")
    expect(await active()).toBe(0)
  })
})
