import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { messagingWorld } from "./world.ts"

const nobody = "019b76da-a800-7000-8000-00000000dead"

describe("opening a conversation", () => {
  it("makes one direct conversation per pair, answered again as it is, from either side [I4.1]", async () => {
    const { run, open, ada, bob, core, projectId } = await messagingWorld()
    const first = await run(open(ada, "direct", [bob], "ignored"))
    expect(first).toMatchObject({
      created: true,
      row: { type: "direct", name: null, participant_count: 2, last_message: null, unread_count: 0 },
    })
    expect(first.row.participants.map(({ id }) => id).toSorted()).toEqual([ada, bob].toSorted())
    expect(await run(open(ada, "direct", [bob, ada]))).toEqual({ ...first, created: false })
    expect(await run(open(bob, "direct", [ada]))).toEqual({ ...first, created: false })
    expect(await run(core.adminMessaging.stats(projectId))).toMatchObject({ total_conversations: 1 })
  })

  it("leaves one of 20 calls at once [I4.1]", async () => {
    const { together, open, ada, bob, core, projectId, run } = await messagingWorld()
    const exits = await together(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? open(ada, "direct", [bob]) : open(bob, "direct", [ada]))),
    )
    const answers = exits.map((exit) => (exit._tag === "Success" ? exit.value : null))
    expect(new Set(answers.map((answer) => answer?.row.id)).size).toBe(1)
    expect(answers.filter((answer) => answer?.created)).toHaveLength(1)
    expect(await run(core.adminMessaging.stats(projectId))).toMatchObject({ total_conversations: 1 })
  })

  it("makes a new group each time, with a name where there is one [I4.1]", async () => {
    const { run, open, ada, bob, eve } = await messagingWorld()
    const first = await run(open(ada, "group", [bob, eve, bob], "Team"))
    expect(first).toMatchObject({ created: true, row: { type: "group", name: "Team", participant_count: 3 } })
    const second = await run(open(ada, "group", [bob, eve]))
    expect(second).toMatchObject({ created: true, row: { name: null } })
    expect(second.row.id).not.toBe(first.row.id)
  })

  it("needs exactly one other, or 1 to 99 [I4.1]", async () => {
    const { refusal, open, ada, bob, eve } = await messagingWorld()
    for (const others of [[], [ada], [bob, eve]])
      expect(await refusal(open(ada, "direct", others))).toMatchObject({
        code: "INVALID_INPUT",
        details: { issues: [{ path: "participant_ids" }] },
      })
    const many = Array.from({ length: 100 }, (_, n) => `019b76da-a800-7000-8000-${String(n).padStart(12, "0")}`)
    for (const others of [[], [ada], many])
      expect(await refusal(open(ada, "group", others))).toMatchObject({ code: "INVALID_INPUT" })
    expect(await refusal(open(ada, "group", many.slice(1)))).toMatchObject({ code: "USER_NOT_FOUND" })
  })

  it("names those who are not there [I4.1]", async () => {
    const { refusal, open, ada, bob } = await messagingWorld()
    for (const opening of [open(ada, "direct", [nobody]), open(ada, "group", [bob, nobody])])
      expect(await refusal(opening)).toMatchObject({
        ...{ code: "USER_NOT_FOUND", kind: "not_found", details: { app_user_ids: [nobody] } },
      })
  })

  it("is refused between two who blocked each other, whoever opens it [I4.3]", async () => {
    const { code, block, open, run, ada, bob, eve, direct } = await messagingWorld()
    await direct(ada, bob)
    await block(bob, ada)
    await block(bob, eve)
    expect(await code(open(ada, "direct", [bob]))).toBe("BLOCKED")
    expect(await code(open(bob, "direct", [ada]))).toBe("BLOCKED")
    expect(await code(open(ada, "group", [bob, eve]))).toBe("BLOCKED")
    expect(await code(open(eve, "direct", [bob]))).toBe("BLOCKED")
    expect(await run(open(ada, "group", [eve]))).toMatchObject({ created: true })
    // Two others who have blocked each other.
    const { world, core, projectId } = await messagingWorld()
    const users = [0, 1, 2].map(() => world.aSignedInUser(projectId))
    const [one, two, three] = (await Promise.all(users)).map(({ userId }) => userId) as [string, string, string]
    await world.run(core.relations.block(projectId, two, three))
    const opening = core.conversations.open(projectId, one, {
      type: "group",
      participant_ids: [two, three],
      name: null,
    })
    expect(await world.run(Effect.flip(opening))).toMatchObject({ code: "BLOCKED", kind: "forbidden" })
  })

  it("with somebody new is limited to 120 an hour, with others not [I0.1]", async () => {
    const { world, refusal, run, open, ada, bob, projectId } = await messagingWorld()
    const others = await Promise.all(Array.from({ length: 120 }, () => world.aSignedInUser(projectId)))
    for (const { userId } of others) await run(open(ada, "direct", [userId]))
    expect(await refusal(open(ada, "direct", [bob]))).toMatchObject({
      ...{ code: "RATE_LIMIT_EXCEEDED", details: { retry_after_seconds: expect.any(Number) } },
    })
    expect(await run(open(ada, "direct", [others[0]?.userId ?? ""]))).toMatchObject({ created: false })
    expect(await run(open(ada, "group", [bob]))).toMatchObject({ created: true })
    world.clock.advance("1 hour")
    expect(await run(open(ada, "direct", [bob]))).toMatchObject({ created: true })
  })
})

describe("who takes part", () => {
  it("can be added to by the one who opened the group [I4.2]", async () => {
    const { run, code, refusal, add, group, direct, ada, bob, eve, dan } = await messagingWorld(4)
    const id = await group(2)
    expect(await run(add(id, ada, [eve, bob, ada, eve]))).toMatchObject({ id, participant_count: 3, unread_count: 0 })
    expect(await code(add(id, bob, [dan]))).toBe("FORBIDDEN")
    expect(await code(add(id, dan, [dan]))).toBe("NOT_PARTICIPANT")
    expect(await code(add(nobody, ada, [dan]))).toBe("NOT_PARTICIPANT")
    expect(await refusal(add(id, ada, [dan, nobody]))).toMatchObject({
      ...{ code: "USER_NOT_FOUND", details: { app_user_ids: [nobody] } },
    })
    expect(await code(add(id, ada, []))).toBe("INVALID_INPUT")
    expect(await code(add(await direct(ada, bob), ada, [dan]))).toBe("INVALID_INPUT")
    // Whoever is no participant is told so before anything else.
    expect(await code(add(id, dan, [nobody]))).toBe("NOT_PARTICIPANT")
    expect(await code(add(id, bob, [nobody]))).toBe("FORBIDDEN")
  })

  it("cannot be somebody who blocked one who does, or was blocked [I4.2, I4.3]", async () => {
    const { run, code, add, block, group, ada, bob, eve, dan } = await messagingWorld(4)
    const id = await group(2)
    await block(bob, eve)
    expect(await code(add(id, ada, [eve]))).toBe("BLOCKED")
    expect(await code(add(id, ada, [dan, eve]))).toBe("BLOCKED")
    // Two who are there already change nothing for others.
    await block(bob, ada)
    expect(await run(add(id, ada, [dan]))).toMatchObject({ participant_count: 3 })
  })

  it("are at most 100 [I4.1, I4.2]", async () => {
    const { run, refusal, add, open, users, ada } = await messagingWorld(101)
    const { id } = (await run(open(ada, "group", users.slice(1, 99)))).row
    expect(await refusal(add(id, ada, users.slice(99)))).toMatchObject({
      ...{ code: "QUOTA_EXCEEDED", kind: "conflict", details: { limit: 100 } },
    })
    expect(await run(add(id, ada, users.slice(1, 100)))).toMatchObject({ participant_count: 100 })
  })

  it("leave a group, and the last one takes it along [I4.2]", async () => {
    const { run, code, leave, add, group, say, direct, bodies, core, projectId, ada, bob, eve } = await messagingWorld()
    const id = await group(3)
    await say(id, ada, "hello")
    expect(await run(leave(id, ada))).toEqual({ left: true })
    expect(await code(leave(id, ada))).toBe("NOT_PARTICIPANT")
    expect(await code(add(id, ada, [ada]))).toBe("NOT_PARTICIPANT")
    expect(await bodies(id, bob)).toEqual(["hello"])
    expect(await code(leave(await direct(ada, bob), bob))).toBe("INVALID_INPUT")
    expect(await code(leave(await direct(ada, bob), eve))).toBe("NOT_PARTICIPANT")
    expect(await code(leave(nobody, ada))).toBe("NOT_PARTICIPANT")
    await run(leave(id, bob))
    await run(leave(id, eve))
    expect(await run(core.adminMessaging.stats(projectId))).toMatchObject({ total_conversations: 1, total_messages: 0 })
  })

  it("leave with thousands of messages, in pieces [I4.2]", async () => {
    const { run, leave, open, world, projectId, core, ada, bob } = await messagingWorld()
    const { id } = (await run(open(ada, "group", [bob]))).row
    await run(leave(id, bob))
    await run(
      world.tenants.transact(projectId, (db) =>
        Effect.forEach(
          Array.from({ length: 1_001 }, () => world.ports.ids.uuid()),
          (each) =>
            db.messages.write({
              ...{ id: each, conversation_id: id, sender_id: ada, body: "x", client_message_id: null },
              ...{ moderation: "shown", created_at: world.clock.now() },
            }),
        ),
      ),
    )
    expect(await run(core.adminMessaging.stats(projectId))).toMatchObject({ total_messages: 1_001 })
    await run(leave(id, ada))
    expect(await run(core.adminMessaging.stats(projectId))).toMatchObject({ total_conversations: 0, total_messages: 0 })
  })
})

describe("the last one who leaves a group with thousands of messages", () => {
  it.for(["leaves", "is removed"])("adds nobody to what is left of it: %s [I4.2]", async (how) => {
    const { run, leave, add, open, world, projectId, core, ada, bob, eve } = await messagingWorld()
    const { id } = (await run(open(ada, "group", [bob]))).row
    await run(leave(id, bob))
    const message = { conversation_id: id, sender_id: ada, body: "x", client_message_id: null }
    const written = { ...message, moderation: "shown" as const, created_at: world.clock.now() }
    const ids = Array.from({ length: 2_001 }, () => world.ports.ids.uuid())
    await run(
      world.tenants.transact(projectId, (db) =>
        Effect.forEach(ids, (each) => db.messages.write({ ...written, id: each })),
      ),
    )
    const stats = () => run(core.adminMessaging.stats(projectId))
    const going = how === "leaves" ? run(leave(id, ada)) : run(core.users.remove(projectId, ada))
    while ((await stats()).total_messages === ids.length) {}
    await run(Effect.exit(add(id, ada, [eve])))
    await going
    expect(await stats()).toMatchObject({ total_conversations: 0, total_messages: 0 })
  })
})

describe("a user who is removed", () => {
  it("takes part no more; messages stay without a sender [I0.4]", async () => {
    const { run, core, projectId, group, direct, say, list, bodies, ada, bob, eve } = await messagingWorld()
    const [id, pair] = [await group(3), await direct(ada, bob)]
    await say(id, ada, "to all")
    await say(pair, ada, "to one")
    await run(core.users.remove(projectId, ada))
    expect(await list(bob)).toMatchObject([
      {
        id: pair,
        participant_count: 1,
        last_message: { body: "to one", sender_id: null, sender: null },
        unread_count: 1,
      },
      { id, participant_count: 2, last_message: { body: "to all", sender_id: null, sender: null } },
    ])
    expect(await bodies(pair, bob)).toEqual(["to one"])
    // What is written to nobody is kept.
    expect(await run(core.messages.send(projectId, bob, pair, { body: "still there?" }))).toMatchObject({
      created: true,
    })
    await run(core.users.remove(projectId, bob))
    await run(core.users.remove(projectId, eve))
    expect(await run(core.adminMessaging.stats(projectId))).toMatchObject({ total_conversations: 0, total_messages: 0 })
  })

  it("with much to leave goes in pieces [I0.4]", async () => {
    const { run, core, projectId, group, world, ada, bob } = await messagingWorld()
    const [shared, own] = [await group(2), await group(2)]
    await run(core.conversations.leave(projectId, bob, own))
    await run(
      world.tenants.transact(projectId, (db) =>
        Effect.forEach(
          Array.from({ length: 1_100 }, (_, n) => n),
          (n) =>
            db.messages.write({
              ...{ id: world.ports.ids.uuid(), conversation_id: n % 2 === 0 ? own : shared, sender_id: ada },
              ...{ body: "x", client_message_id: null, moderation: "shown", created_at: world.clock.now() },
            }),
        ),
      ),
    )
    await run(core.users.remove(projectId, ada))
    expect(await run(core.adminMessaging.stats(projectId))).toEqual({
      ...{ total_conversations: 1, total_messages: 550, active_conversations_24h: 1 },
    })
    const { rows } = await run(core.messages.list(projectId, bob, shared, { limit: 1_000, offset: 0 }))
    expect(rows.filter(({ sender_id }) => sender_id !== null)).toEqual([])
  })
})
