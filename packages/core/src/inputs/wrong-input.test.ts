import { anId, testWorld } from "@hearth/testing"
import { Cause, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { findUseCases } from "../../test/use-cases.ts"

type Failing = Effect.Effect<unknown, { readonly code: string }>

const textless = Object.create(null) as object
const wrongKinds: ReadonlyArray<unknown> = [
  ...[undefined, null, 5, Number.NaN, "a\0", "text", [null], textless, new Date(Number.NaN)],
]

const optionNames = ["since", "until", "at", "search", "event_name", "category", "item_type", "user_id"]

const inWorld = async () => {
  const world = testWorld()
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const failure = (call: Failing) => world.run(Effect.flip(call))
  return { ...world, projectId, ownerId, userId, failure }
}

describe("arguments of another kind", () => {
  it("kill no use case, wherever they are given", async () => {
    const { core, run, projectId, userId } = await inWorld()
    const expectAlive = async (title: string, call: unknown) => {
      if (!Effect.isEffect(call)) return
      const exit = await run(Effect.exit(call as Effect.Effect<unknown, unknown>))
      const reasons = exit._tag === "Success" ? [] : exit.cause.reasons
      expect(reasons.filter(Cause.isDieReason), title).toEqual([])
    }
    for (const { path, run: useCase, rules } of findUseCases(core)) {
      const args: ReadonlyArray<unknown> = rules.map((rule, at) => {
        if (rule.kind === "id") return at === 0 ? projectId : userId
        return rule.kind === "ids" ? [userId] : rule.kind === "options" ? {} : undefined
      })
      for (const [at, rule] of rules.entries())
        for (const wrong of wrongKinds) {
          await expectAlive(`${path}, argument ${at}`, useCase(...args.with(at, wrong)))
          if (rule.kind !== "options") continue
          for (const name of new Set([...optionNames, ...Object.keys(rule.fields), ...rule.needed]))
            await expectAlive(`${path}, option ${name}`, useCase(...args.with(at, { [name]: wrong })))
        }
    }
  })

  it("are Dates where instants are wanted, also where null may be", async () => {
    const { core, failure, projectId, userId } = await inWorld()
    const at = "2026-06-01T00:00:00.000Z" as never
    const grant = { entitlement_id: "pro", expiration_date: at }
    expect(await failure(core.entitlements.grant(projectId, userId, grant))).toMatchObject({
      message: "expiration_date must be a Date or null.",
    })
    expect(await failure(core.leaderboards.shown(projectId, at))).toMatchObject({ message: "at must be a Date." })
  })

  it("are named where a word, an instant or a list is needed", async () => {
    const { core, clock, failure, projectId, ownerId, userId } = await inWorld()
    const wrong = "wrong" as never
    const listening = { user_id: userId, session_id: anId(), expires_at: new Date(Number.NaN) }
    const open = { type: "direct", participant_ids: ["nobody"] } as const
    const calls: ReadonlyArray<readonly [string, Failing]> = [
      ["provider", core.integrations.remove(projectId, ownerId, wrong)],
      ["is_approved", core.reviews.manage.approve(projectId, anId(), wrong)],
      ["at", core.leaderboards.shown(projectId, new Date("0001-01-01T00:00:00.000Z"))],
      ["at", core.leaderboards.shown(projectId, wrong)],
      ["status", core.refusals.list(projectId, { status: 1.5 })],
      ["code", core.refusals.list(projectId, { code: 5 as never })],
      ["is_active", core.content.items.list(projectId, anId(), { is_active: wrong })],
      ["status", core.deadLetters.list(projectId, { status: wrong })],
      ["group_by", core.events.count(projectId, { since: clock.now(), group_by: wrong })],
      ["content_type", core.moderation.queue.list(projectId, "pending", { content_type: wrong })],
      ["provider", core.webhooks.inbox(projectId, { provider: wrong })],
      ["status", core.webhooks.inbox(projectId, { status: wrong })],
      ["action", core.feeds.items(projectId, { action: 5 as never })],
      ["cursor", core.exports.records(projectId, userId, { section: "reviews", cursor: 5 as never })],
      ["expires_at", core.live.ofUser(projectId, listening)],
      ["origin", core.media.complete(projectId, anId(), undefined as never)],
      ["app_user_ids", core.conversations.addParticipants(projectId, userId, anId(), wrong)],
      ["participant_ids.0", core.conversations.open(projectId, userId, open)],
    ]
    for (const [path, call] of calls)
      expect(await failure(call), path).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ path }] } })
  })

  it("are no cursors, and neither are positions that no page ends at", async () => {
    const { core, run, failure, projectId, userId } = await inWorld()
    const at = { at: new Date(0), id: anId(), total: 1 }
    const wrong = ["wrong", 5, {}, { ...at, id: "x" }, { ...at, at: new Date(Number.NaN) }, { ...at, total: -1 }]
    for (const given of wrong) {
      const cursor = given as never
      const calls: ReadonlyArray<Failing> = [
        ...[core.users.list(projectId, { cursor }), core.deepLinks.list(projectId, { cursor })],
        ...[core.referrals.stats(projectId, anId(), { cursor }), core.webhooks.inbox(projectId, { cursor })],
        ...[core.leaderboards.entries(projectId, anId(), { cursor }), core.xp.ofUser(projectId, userId, { cursor })],
        ...[
          core.adminMessaging.messages(projectId, anId(), { cursor }),
          core.media.list(projectId, {}, { cursor }, ""),
        ],
      ]
      for (const call of calls)
        expect(await failure(call)).toMatchObject({
          message: "cursor must be start or the next_cursor of an earlier page.",
        })
    }
    for (const given of ["start", {}]) {
      const cursor = given as never
      for (const call of [core.events.tail(projectId, { cursor }), core.feeds.page(projectId, userId, { cursor })])
        expect(await failure(call)).toMatchObject({ message: "cursor must be the next_cursor of an earlier page." })
    }
    expect(await run(core.deepLinks.list(projectId, { cursor: at }))).toMatchObject({ rows: [], next_cursor: null })
  })

  it("are left out where an option is null", async () => {
    const { core, run, failure, projectId, userId } = await inWorld()
    await run(core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
    const none = null as never
    const tail = { since: none, until: none, event_name: none, user_id: none, cursor: none }
    expect((await run(core.events.tail(projectId, tail))).data).toHaveLength(1)
    expect(await run(core.media.list(projectId, { folder_id: none, app_user_id: none }, {}, ""))).toMatchObject({
      total: 0,
    })
    expect(await failure(core.events.count(projectId, { since: none }))).toMatchObject({ code: "MISSING_SINCE" })
    expect(await failure(core.streaks.list(projectId, { limit: none }))).toMatchObject({ code: "INVALID_INPUT" })
  })

  it("are a project and a streak that nobody has", async () => {
    const { core, clock, failure, projectId, userId } = await inWorld()
    expect(await failure(core.streaks.list(textless as never))).toMatchObject({ code: "NOT_FOUND" })
    const key = { app_user_id: userId, streak_definition_id: anId(), since: clock.now() }
    expect(await failure(core.streaks.timelines.own(projectId, key))).toMatchObject({
      code: "STREAK_DEFINITION_NOT_FOUND",
    })
  })
})
