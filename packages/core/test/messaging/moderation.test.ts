import { type Engagement, moderatedContents } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { messagingWorld } from "./world.ts"

/** A world in which three words have an action each. */
const moderatedWorld = async () => {
  const base = await messagingWorld()
  const { world, projectId, run } = base
  const created_at = world.clock.now()
  for (const action of ["flag", "hold", "reject"])
    await run(
      world.tenants.transact(projectId, (db) =>
        db.moderationRules.insert({
          ...{ id: world.ports.ids.uuid(), name: action, rule_type: "keyword", is_active: true, created_at },
          ...{ config: { keywords: [`${action}me`], action }, revision: 1 },
        }),
      ),
    )
  const [moderated] = moderatedContents.filter(({ content_type }) => content_type === "message") as [
    (typeof moderatedContents)[number],
  ]
  const inTransaction = <A>(work: (db: Parameters<typeof moderated.show>[0]) => Effect.Effect<A>) =>
    run(world.tenants.transact(projectId, work))
  return {
    ...base,
    moderated,
    inTransaction,
    decide: (how: "show" | "hide", id: string) =>
      inTransaction((db) =>
        Effect.andThen(moderated.find(db, id, { lock: true }), moderated[how](db, id, world.clock.now())),
      ),
    queued: () => run(world.tenants.read(projectId, (db) => db.moderationQueue.list({}, [["created_at", "asc"]]))),
    trust: (app_user_id: string) =>
      inTransaction((db) =>
        db.trustLevels.save({ app_user_id, trust_level: "trusted", auto_approve: true, updated_at: created_at }),
      ),
    lists: async (of: Engagement, userId: string) =>
      (await run(of.conversations.list(projectId, userId, { limit: 9, offset: 0 }))).rows,
  }
}

describe("a rule that refuses", () => {
  it("answers MESSAGE_REJECTED, and leaves nothing [I6.1]", async () => {
    const { code, send, group, bodies, queued, sent, ada, bob, eve, direct } = await moderatedWorld()
    const id = await group()
    expect(await code(send(id, ada, "please rejectme now"))).toBe("MESSAGE_REJECTED")
    expect([await bodies(id, ada), await queued(), await sent(ada)]).toEqual([[], [], []])
    // Strangers learn nothing of rules.
    expect(await code(send(await direct(ada, bob), eve, "rejectme"))).toBe("NOT_PARTICIPANT")
  })

  it("answers a repeat of what was taken before with that [I4.2]", async () => {
    const { run, code, send, group, ada } = await moderatedWorld()
    const id = await group()
    const named = { client_message_id: "m-1" }
    const first = await run(send(id, ada, "fine", named))
    expect(await run(send(id, ada, "rejectme", named))).toEqual({ created: false, row: first.row })
    expect(await code(send(id, ada, "rejectme", { client_message_id: "m-2" }))).toBe("MESSAGE_REJECTED")
  })

  it("refuses names of conversations, and so does one that holds them, unless the author is trusted [I6.1, I6.2]", async () => {
    const { run, code, open, trust, queued, ada, bob } = await moderatedWorld()
    for (const name of ["rejectme", "holdme"])
      expect(await code(open(ada, "group", [bob], name))).toBe("CONTENT_REJECTED")
    expect(await run(open(ada, "group", [bob], "flagme"))).toMatchObject({ row: { name: "flagme" } })
    await trust(ada)
    expect(await run(open(ada, "group", [bob], "holdme"))).toMatchObject({ row: { name: "holdme" } })
    expect(await code(open(ada, "group", [bob], "rejectme"))).toBe("CONTENT_REJECTED")
    expect(await queued()).toEqual([])
  })
})

describe("a message that is held", () => {
  it("is seen by its sender alone, moves no list of others, and counts for nobody until it is approved [I4.2, I6.3]", async () => {
    const { world, core, group, say, bodies, lists, queued, decide, moderated, inTransaction, ada, bob } =
      await moderatedWorld()
    const [id, other] = [await group(), await group()]
    await say(id, ada, "1")
    await say(other, ada, "other")
    world.clock.advance("2 hours")
    const held = await say(id, ada, "holdme")
    expect(await queued()).toMatchObject([{ content_type: "message", content_id: held, app_user_id: ada }])
    expect([await bodies(id, ada), await bodies(id, bob)]).toEqual([["holdme", "1"], ["1"]])
    expect(await lists(core, ada)).toMatchObject([{ id, last_message: { body: "holdme" } }, { id: other }])
    expect(await lists(core, bob)).toMatchObject([{ id: other }, { id, last_message: { body: "1" }, unread_count: 1 }])
    const seenBy = (userId: string) => inTransaction((db) => moderated.isVisibleTo(db, held, userId))
    expect([await seenBy(ada), await seenBy(bob)]).toEqual([true, false])

    await decide("show", held)
    expect(await lists(core, bob)).toMatchObject([
      { id, last_message: { body: "holdme" }, unread_count: 2 },
      { id: other },
    ])
    expect(await seenBy(bob)).toBe(true)
  })

  it("is no place in a list for others, and cannot be what they have read [I4.2]", async () => {
    const { core, projectId, code, run, read, group, say, ada, bob } = await moderatedWorld()
    const id = await group()
    const [first, held] = [await say(id, ada, "1"), await say(id, ada, "holdme")]
    const listing = core.messages.list(projectId, bob, id, { limit: 9, offset: 0, before: held })
    expect([await code(listing), await code(read(id, bob, held))]).toEqual(["INVALID_CURSOR", "NOT_FOUND"])
    // What was held is unread once it is seen.
    expect(await run(read(id, bob))).toMatchObject({ unread_count: 0 })
    expect(await run(read(id, bob, first))).toMatchObject({ unread_count: 0 })
  })

  it("stays unread for those who had read the rest when it is approved [I4.2]", async () => {
    const { run, read, group, say, list, decide, ada, bob } = await moderatedWorld()
    const id = await group()
    await say(id, ada, "1")
    const held = await say(id, ada, "holdme")
    await run(read(id, bob))
    await decide("show", held)
    expect((await list(bob))[0]).toMatchObject({ unread_count: 1, last_message: { body: "holdme" } })
  })

  it("is shown at once where the author is trusted, and queued by a flag only where not [I6.2]", async () => {
    const { trust, group, say, bodies, queued, ada, bob } = await moderatedWorld()
    const id = await group()
    await trust(ada)
    await say(id, ada, "holdme")
    await say(id, ada, "flagme")
    expect([await bodies(id, bob), await queued()]).toEqual([["flagme", "holdme"], []])
    const flagged = await say(id, bob, "flagme, too")
    expect([(await bodies(id, ada))[0], await queued()]).toMatchObject(["flagme, too", [{ content_id: flagged }]])
  })

  it("is queued once where it is repeated [I4.2]", async () => {
    const { together, send, group, queued, bodies, ada } = await moderatedWorld()
    const id = await group()
    await together(Array.from({ length: 5 }, () => send(id, ada, "holdme", { client_message_id: "m-1" })))
    expect([(await queued()).length, await bodies(id, ada)]).toEqual([1, ["holdme"]])
  })
})

describe("a message that is rejected", () => {
  it("has no body for anybody but developers [I6.3]", async () => {
    const { run, core, projectId, group, say, bodies, list, decide, ada, bob } = await moderatedWorld()
    const id = await group()
    const [flagged, held] = [await say(id, ada, "flagme"), await say(id, ada, "holdme")]
    await decide("hide", flagged)
    await decide("hide", held)
    expect([await bodies(id, ada), await bodies(id, bob)]).toEqual([
      [null, null],
      [null, null],
    ])
    expect((await list(bob))[0]?.last_message).toMatchObject({ body: null })
    const { rows } = await run(core.adminMessaging.messages(projectId, id, { limit: 9, offset: 0 }))
    expect(rows.map(({ body, moderation }) => [body, moderation])).toEqual([
      ["holdme", "rejected"],
      ["flagme", "rejected"],
    ])
    await decide("show", flagged)
    expect(await bodies(id, bob)).toEqual([null, "flagme"])
  })

  it("that is gone is passed over; what was deleted has no text [I6.3, I6.5]", async () => {
    const { core, projectId, run, group, say, decide, moderated, inTransaction, ada } = await moderatedWorld()
    const id = await group()
    const [gone, erased] = [await say(id, ada, "1"), await say(id, ada, "2")]
    await run(core.adminMessaging.remove(projectId, gone))
    await run(core.messages.removeOwn(projectId, ada, erased))
    const find = (which: string) => inTransaction((db) => moderated.find(db, which, { lock: false }))
    expect(await find(gone)).toBeNull()
    expect(await find(erased)).toMatchObject({ texts: [null], urls: [], app_user_id: ada, state: "shown" })
    await decide("hide", gone)
    await decide("hide", erased)
    expect(await find(erased)).toMatchObject({ state: "rejected" })
    const last = await say(id, ada, "3")
    expect(await inTransaction((db) => moderated.newest(db, 10))).toMatchObject([{ id: last }])
  })
})
