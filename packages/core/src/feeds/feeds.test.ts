import { anId, SimulatedFault, testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { makeDispatcher } from "../background/dispatcher.ts"
import type { FeatureWork } from "../background/work.ts"
import { createEngagement } from "../engagement.ts"
import type { TenantDb } from "../tenant-db.ts"
import type { FeedScope } from "./scope.ts"
import { makeFeedsWork } from "./work.ts"

const all = { limit: 50, offset: 0 }
const rule = { source_event: "lesson", action: "learned", target_type: "book" }

/** A project with rules, users, and what they read. */
const feedWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const core = createEngagement(world.ports)
  const { projectId } = await world.aProjectWithOwner()
  const read = async (userId: string, scope: FeedScope) =>
    (await world.run(core.feeds.page(projectId, userId, { scope, limit: 50 }))).data
  return {
    ...{ world, core, projectId, read },
    user: async () => (await world.aSignedInUser(projectId)).userId,
    createRule: (given: Partial<typeof rule> = {}) =>
      world.run(core.feeds.createRule(projectId, { ...rule, ...given })),
    record: (app_user_id: string, given: object = {}) =>
      world.run(core.events.record(projectId, { app_user_id, event_name: "lesson", ...given })),
    refusal: <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect)),
    actions: async (userId: string, scope: FeedScope = { of: "mine" }) =>
      (await read(userId, scope)).map(({ action }) => action),
  }
}

describe("a rule", () => {
  it("makes items of events that are handled while it is there and active, as it is then [I3.1]", async () => {
    const { world, core, projectId, user, createRule, record, actions } = await feedWorld()
    const ada = await user()
    await record(ada)
    await world.runPending()
    const { id } = await createRule()
    await world.runPending()
    expect(await actions(ada)).toEqual([])
    const step = async (change: Effect.Effect<unknown, unknown>) => {
      await world.run(change)
      world.clock.advance("1 minute")
      await record(ada)
      await world.runPending()
    }
    await step(Effect.void)
    await step(core.feeds.updateRule(projectId, id, { action: "studied" }))
    await step(core.feeds.updateRule(projectId, id, { is_active: false }))
    await step(core.feeds.updateRule(projectId, id, { is_active: true, source_event: "another" }))
    await step(core.feeds.updateRule(projectId, id, { source_event: "lesson" }))
    await step(core.feeds.removeRule(projectId, id))
    expect(await actions(ada)).toEqual(["studied", "studied", "learned"])
  })

  it("is followed by what is handled after it, also of events that waited [I3.1]", async () => {
    const { world, user, createRule, record, actions } = await feedWorld()
    const ada = await user()
    await record(ada)
    await createRule()
    await world.runPending()
    expect(await actions(ada)).toEqual(["learned"])
  })

  it("is one of at most 200", async () => {
    const { core, projectId, createRule, refusal } = await feedWorld()
    for (let n = 0; n < 200; n += 1) await createRule({ action: `action ${n}` })
    expect(await refusal(core.feeds.createRule(projectId, rule))).toMatchObject({
      ...{ code: "LIMIT_REACHED", details: { limit: 200 } },
    })
  })

  it("may be for events of the platform, and is never for messages, whoever wrote the rule [I3.1]", async () => {
    const { world, core, projectId, user, createRule, read } = await feedWorld()
    const [ada, bob] = [await user(), await user()]
    await createRule({ source_event: "group_joined", action: "joined", target_type: "group" })
    const group = await world.run(
      core.groups.create(projectId, ada, {
        ...{ name: "Open", description: null, avatar_url: null, is_public: true, max_members: 100, metadata: {} },
      }),
    )
    await world.run(core.groups.join(projectId, bob, group.id))
    await world.runPending()
    expect(await read(ada, { of: "all" })).toMatchObject([{ actor_id: bob, action: "joined", target_id: group.id }])
  })
})

describe("items of a private group", () => {
  it("are shown to the one who made them, to its members in the group, and to developers only [I3.1]", async () => {
    const { world, core, projectId, user, createRule, record, read, actions, refusal } = await feedWorld()
    const [ada, bob, eve] = [await user(), await user(), await user()]
    await createRule({ source_event: "group_created", action: "founded", target_type: "group" })
    await createRule({ action: "learned" })
    const fields = { description: null, avatar_url: null, max_members: 100, metadata: {} }
    const group = await world.run(core.groups.create(projectId, ada, { ...fields, name: "Secret", is_public: false }))
    await world.run(core.relations.follow(projectId, bob, ada))
    await world.runPending()
    const scope: FeedScope = { of: "group", group_id: group.id }
    expect([await actions(ada), await actions(ada, scope)]).toEqual([["founded"], ["founded"]])
    for (const of of ["all", "following"] as const) expect(await actions(bob, { of })).toEqual([])
    const page = (userId: string, group_id: string) =>
      core.feeds.page(projectId, userId, { scope: { of: "group", group_id }, limit: 50 })
    expect((await world.run(page(ada, group.id.toUpperCase()))).data).toHaveLength(1)
    // Nobody can tell a private group from none.
    expect(await refusal(page(bob, group.id))).toEqual(await refusal(page(bob, anId())))
    expect(await refusal(page(bob, group.id))).toMatchObject({ code: "NOT_FOUND" })
    expect((await world.run(core.feeds.items(projectId, all))).rows).toHaveLength(1)

    await world.run(core.groups.admin.addMember(projectId, group.id, { app_user_id: bob, role: "member" }))
    expect(await actions(bob, scope)).toEqual(["founded"])
    expect(await actions(bob, { of: "following" })).toEqual([])
    world.clock.advance("1 minute")
    await record(ada, { properties: { group_id: group.id } })
    await record(eve, { properties: { target_id: group.id } })
    await world.runPending()
    expect((await read(bob, scope)).map(({ actor_id }) => actor_id).toSorted()).toEqual([ada, ada, eve].toSorted())
    expect(await read(bob, { of: "all" })).toEqual([])

    // When the group is gone, so is what was its own.
    await world.run(core.groups.admin.remove(projectId, group.id))
    expect(await read(bob, { of: "all" })).toEqual([])
    expect(await actions(ada)).toEqual(["learned", "founded"])
  })

  it("are not shown by an event that is handled when the group is gone already [I3.1]", async () => {
    const { world, core, projectId, user, createRule, actions } = await feedWorld()
    const [ada, bob] = [await user(), await user()]
    await createRule({ source_event: "group_created", action: "founded", target_type: "group" })
    const fields = { description: null, avatar_url: null, max_members: 100, metadata: {} }
    const group = await world.run(core.groups.create(projectId, ada, { ...fields, name: "Secret", is_public: false }))
    await world.run(core.groups.admin.remove(projectId, group.id))
    await world.runPending()
    expect([await actions(ada), await actions(bob, { of: "all" })]).toEqual([["founded"], []])
  })

  it("are other than those of an app's own groups, which the service does not know", async () => {
    const { world, user, createRule, record, actions } = await feedWorld()
    const [ada, bob] = [await user(), await user()]
    await createRule()
    await record(ada, { properties: { group_id: anId(), target_id: anId() } })
    await world.runPending()
    expect(await actions(bob, { of: "all" })).toEqual(["learned"])
  })
})

describe("items", () => {
  it("go after 180 days, by when they were created [I0.3]", async () => {
    const { world, user, createRule, record, actions } = await feedWorld()
    const ada = await user()
    await createRule()
    await record(ada)
    await record(ada, { occurred_at: "2026-02-01T00:00:00.000Z" })
    await world.runPending()
    expect(await actions(ada)).toHaveLength(2)
    await world.advance("152 days")
    expect(await actions(ada)).toHaveLength(1)
    await world.advance("27 days")
    expect(await actions(ada)).toHaveLength(1)
    await world.advance("1 day")
    await world.advance("1 minute")
    expect(await actions(ada)).toEqual([])
  })

  it("go with their user, of any number [I0.4]", async () => {
    const { world, core, projectId, user, createRule, record, read } = await feedWorld()
    const [ada, bob] = [await user(), await user()]
    await createRule()
    for (const userId of [ada, bob]) await record(userId)
    await world.runPending()
    await world.run(core.users.remove(projectId, ada))
    expect((await read(bob, { of: "all" })).map(({ actor_id }) => actor_id)).toEqual([bob])
  })

  it("are one per event and rule, also where the event was set aside by another reaction and retried [I3.1]", async () => {
    const { world, projectId, user, createRule, actions } = await feedWorld()
    const ada = await user()
    await createRule()
    await createRule({ action: "studied" })
    await world.runPending()
    const state = { isBroken: true }
    const poison: FeatureWork<TenantDb> = {
      reactions: [
        {
          name: "poison",
          react: (_, events) =>
            Effect.sync(() => {
              if (state.isBroken && events.length > 0) throw new SimulatedFault("fault")
              return []
            }),
        },
      ],
    }
    const background = makeDispatcher(world.ports, [makeFeedsWork(world.ports, { keepDays: 180 }), poison])
    const events = Array.from({ length: 3 }, () => ({ event_name: "lesson" }))
    await world.run(world.core.events.recordOwn(projectId, ada, { events }))
    const process = () => world.run(Effect.exit(background.process(projectId)))
    await process()
    expect(await actions(ada)).toEqual([])
    state.isBroken = false
    world.clock.advance("1 hour")
    await process()
    await process()
    expect((await actions(ada)).toSorted()).toEqual([...Array(3).fill("learned"), ...Array(3).fill("studied")])
  })
})
