import { anId, testWorld } from "@hearth/testing"
import { Cause, Effect, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { createEngagement } from "../engagement.ts"
import type { ExportFile } from "../exports/index.ts"
import { InvalidInput, NotFound, ServiceUnavailable } from "../failure.ts"
import { inputRules } from "./use-cases.ts"

type Group = { readonly [name: string]: Group | ReadonlyArray<{ readonly kind: string }> }

/** Every use case of a project with arguments that name one, by its path. */
const callsIn = (
  rules: Group,
  core: unknown,
  projectId: string,
  path = "",
): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(rules).flatMap(([name, rule]) => {
    const found = (core as Record<string, unknown>)[name]
    if (!Array.isArray(rule)) return callsIn(rule as Group, found, projectId, `${path}${name}.`)
    if (rule[0]?.kind !== "id") return []
    const args = rule.map(({ kind }, index) => {
      if (index === 0) return projectId
      return kind === "id"
        ? anId()
        : kind === "ids"
          ? [anId()]
          : kind === "record" || kind === "options"
            ? {}
            : undefined
    })
    return [[`${path}${name}`, (found as (...given: ReadonlyArray<unknown>) => unknown)(...args)] as const]
  })

const inWorld = async () => {
  const world = testWorld()
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const failure = <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect))
  return { ...world, projectId, ownerId, userId, failure }
}

describe("inputs of use cases", () => {
  it("may leave out what a request may leave out, with the same defaults", async () => {
    const { core, run, projectId, ownerId, userId } = await inWorld()
    expect(await run(core.streaks.create(projectId, { name: "Daily", qualifying_event: "lesson" }))).toMatchObject({
      ...{ description: null, period: "daily", grace_period_hours: 0, freeze_enabled: false },
      ...{ max_freezes: 1, freezes_per_n_events: null },
    })
    expect(await run(core.projects.create(ownerId, { name: "Second" }))).toMatchObject({ client_backdate_hours: 720 })
    expect(await run(core.leaderboards.create(projectId, { name: "Most", metric: "xp" }))).toMatchObject({
      ...{ period: "all_time", max_entries: 100 },
    })
    expect((await run(core.streaks.list(projectId))).total).toBe(1)
    expect((await run(core.streaks.list(projectId, { limit: 1 }))).rows).toHaveLength(1)
    expect((await run(core.users.list(projectId, { search: "nobody" }))).total).toBe(0)
    expect(await run(core.apiKeys.create(projectId, ownerId))).toMatchObject({ name: null })
    expect((await run(core.analytics.retention(projectId))).cohorts).toHaveLength(8)
    expect(await run(core.media.folders.list(projectId))).toMatchObject({ total: 0 })
    const library = await run(core.content.libraries.create(projectId, { name: "Quotes" }))
    const items = await run(core.content.items.insert(projectId, library.id, [{ body: "One" }]))
    expect(items).toMatchObject([{ is_premium: false }])
    expect(await run(core.currencies.transactions(projectId, userId))).toMatchObject({ total: 0 })
  })

  it("may leave out what narrows an export, a search or a list", async () => {
    const { core, run, projectId, userId } = await inWorld()
    const textOf = (file: ExportFile) => run(Stream.mkString(file.text))
    const users = await run(core.exports.users(projectId))
    expect(users.filename).toBe("users-export.csv")
    expect(await textOf(users)).toContain(`\n${userId},`)
    const since = new Date("2100-01-01T00:00:00.000Z")
    expect(await textOf(await run(core.exports.users(projectId, { format: "ndjson", since })))).toBe("")
    const events = await run(core.exports.userEvents(projectId, { user_id: userId }))
    expect(events.filename).toBe(`user-${userId}-events.csv`)
    expect(await textOf(events)).toMatch(/^id,[^\n]+\n/)
    expect((await run(core.exports.reviews(projectId))).filename).toBe("reviews-export.csv")
    const group = await run(core.groups.create(projectId, userId, { name: "Readers" }))
    expect((await run(core.groups.search(projectId))).rows).toMatchObject([{ id: group.id }])
  })

  it("may leave out whether a member is banned, what became of pushes, and where a link was opened", async () => {
    const { core, run, aSignedInUser, projectId, userId } = await inWorld()
    const { userId: member } = await aSignedInUser(projectId)
    const { id: group } = await run(core.groups.create(projectId, userId, { name: "Readers" }))
    await run(core.groups.join(projectId, member, group))
    await run(core.groups.kick(projectId, userId, group, member))
    expect(await run(core.groups.join(projectId, member, group))).toMatchObject({ group_id: group })
    const push = { name: "News", title: "Hello", body: "There is news." }
    const { id: campaign } = await run(core.pushCampaigns.create(projectId, push))
    expect(await run(core.pushDeliveries.list(projectId, campaign))).toMatchObject({ rows: [], total: 0 })
    const link = { slug: "shop", destination_url: "https://example.com/" }
    const { id } = await run(core.deepLinks.create(projectId, link))
    await run(core.deepLinks.resolve(projectId, userId, link.slug))
    expect(await run(core.deepLinks.stats(projectId, id))).toMatchObject({ clicks_by_platform: { unknown: 1 } })
  })

  it("are checked as a request is checked", async () => {
    const { core, failure, projectId } = await inWorld()
    const refused = await failure(core.streaks.create(projectId, { name: "", qualifying_event: "a\0b" }))
    expect(refused).toBeInstanceOf(InvalidInput)
    expect(refused.details?.["issues"]).toMatchObject([{ path: "name" }, { path: "qualifying_event" }])
    // @ts-expect-error: the name is needed.
    expect(await failure(core.streaks.create(projectId, { qualifying_event: "lesson" }))).toBeInstanceOf(InvalidInput)
    // @ts-expect-error: there is no such period.
    await failure(core.streaks.create(projectId, { name: "x", qualifying_event: "lesson", period: "yearly" }))
  })

  it("are within the bounds of a request, where they are no record", async () => {
    const { core, failure, projectId, userId } = await inWorld()
    const key = { app_user_id: userId, streak_definition_id: anId() }
    const calls = {
      weeks: core.analytics.retention(projectId, 1_000_000_000),
      days: core.deepLinks.clicksByDay(projectId, anId(), -1),
      count: core.content.schedules.preview(projectId, anId(), 51),
      limit: core.streaks.timelines.own(projectId, key, 0.5),
      key: core.xp.award(projectId, userId, { amount: 1, reason: "x" }, ""),
      code: core.referrals.redeem(projectId, userId, "a\0"),
      // @ts-expect-error: text is no instant.
      since: core.analytics.sessions(projectId, { since: "2026-01-01" }),
      // @ts-expect-error: a token is needed.
      refresh_token: core.developers.refresh(),
    }
    for (const [path, call] of Object.entries<Effect.Effect<unknown, { readonly code: string }>>(calls))
      expect(await failure(call)).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ path }] } })
  })

  it("are text that can be kept, and instants that a request can have, where they are no record", async () => {
    const { core, failure, projectId, userId } = await inWorld()
    const item = { item_type: "a\0", item_id: "b" }
    const since = new Date("0001-01-10T00:00:00.000Z")
    const calls = {
      code: core.currencies.spend(projectId, userId, "a\0", { amount: 1, reason: "x" }),
      token: core.pushTokens.remove(projectId, userId, "a\0"),
      q: core.groups.search(projectId, "\ud800"),
      item_type: core.reviews.listOfItem(projectId, userId, item),
      since: core.analytics.overview(projectId, { since }),
    }
    for (const [path, call] of Object.entries<Effect.Effect<unknown, { readonly code: string }>>(calls))
      expect(await failure(call)).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ path }] } })
  })

  it("are instants of the years that can be kept, also in a record", async () => {
    const { core, run, failure, projectId, userId } = await inWorld()
    const grant = (expiration_date: Date) =>
      core.entitlements.grant(projectId, userId, { entitlement_id: "pro", expiration_date })
    for (const at of ["0001-12-31T23:59:59.999Z", "-000001-01-01T00:00:00.000Z", "+010000-01-01T00:00:00.000Z"]) {
      const issues = [{ path: "expiration_date", message: "must be an instant of the years 2 to 9999" }]
      expect(await failure(grant(new Date(at)))).toMatchObject({ code: "INVALID_INPUT", details: { issues } })
    }
    for (const at of ["0002-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
      expect(await run(grant(new Date(at)))).toMatchObject({ row: { expiration_date: new Date(at) } })
  })

  it("are tokens that are not empty [A5]", async () => {
    const { core, failure, projectId } = await inWorld()
    const { auth, developers } = core
    const calls: ReadonlyArray<Effect.Effect<unknown, { readonly code: string }>> = [
      ...[auth.sessions.refresh(projectId, ""), auth.sessions.logout(projectId, "")],
      ...[developers.refresh(""), developers.logout("")],
    ]
    for (const call of calls) {
      const issues = [{ path: "refresh_token", message: "must be at least 1 character" }]
      expect(await failure(call)).toMatchObject({ code: "INVALID_INPUT", details: { issues } })
    }
  })

  it("are JSON, where they are free-form, also where no request has been parsed [A9]", async () => {
    const { core, failure, projectId, userId } = await inWorld()
    const circle: Record<string, unknown> = {}
    circle["self"] = circle
    for (const properties of [{ at: new Date(0) }, { a: "x\0" }, { a: undefined }, circle]) {
      const event = { app_user_id: userId, event_name: "lesson", properties }
      expect(await failure(core.events.record(projectId, event))).toMatchObject({ code: "INVALID_EVENT" })
      const update = { user_ids: [userId], updates: { properties } }
      expect(await failure(core.users.bulkUpdate(projectId, update))).toMatchObject({ code: "INVALID_BODY" })
      const given = { properties: properties as never }
      expect(await failure(core.users.update(projectId, userId, given))).toMatchObject({ code: "INVALID_INPUT" })
    }
  })

  it("are JSON, where the use case says what it has to be, and what is undefined in it is left out [A9]", async () => {
    const { core, run, failure, projectId } = await inWorld()
    const rule = { event: "lesson", count: 1 }
    const { id } = await run(core.segments.create(projectId, { name: "Learners", rules: { all: [rule] } }))
    type Stored = Effect.Effect<unknown, { readonly code: string }>
    const storedWith = (note: unknown): ReadonlyArray<readonly [Stored, object]> => {
      const rules = { any: [{ ...rule, note }] }
      const reward = { xp: 5, note }
      const { achievements, catalog, referrals, segments } = core
      const item = catalog.create(projectId, { key: "bundle", name: "Bundle", contents: reward })
      const code = referrals.create(projectId, { code: "FRIEND", reward_referee: reward })
      const first = achievements.create(projectId, { key: "first", name: "First", criteria: { ...rule, note } })
      return [
        [Effect.map(segments.create(projectId, { name: "More", rules }), (row) => row.rules), { any: [rule] }],
        [Effect.map(segments.update(projectId, id, { rules }), (row) => row.rules), { any: [rule] }],
        [Effect.map(first, ({ criteria }) => criteria), rule],
        [Effect.map(item, ({ contents }) => contents), { xp: 5 }],
        [Effect.map(code, ({ reward_referee }) => reward_referee), { xp: 5 }],
      ]
    }
    const sparse: Array<number> = []
    sparse[1] = 1
    for (const note of [new Date(0), Number.NaN, () => 1, sparse, [undefined], new Map()])
      for (const [call] of storedWith(note)) expect(await failure(call)).toMatchObject({ code: "INVALID_INPUT" })
    for (const [call, stored] of storedWith(undefined)) expect(await run(call)).toStrictEqual(stored)
    const dated = core.referrals.create(projectId, { reward_referee: new Date(0) })
    expect(await failure(dated)).toMatchObject({ code: "INVALID_REWARD" })
  })

  it("say once what two checks of a value have to say", async () => {
    const { core, failure, projectId } = await inWorld()
    const input = { name: "Daily", qualifying_event: "lesson", grace_period_hours: Number.NaN }
    const { details } = await failure(core.streaks.create(projectId, input))
    expect(details?.["issues"]).toHaveLength(1)
  })

  it("name a developer who is there, to make a project", async () => {
    const { core, failure } = await inWorld()
    for (const id of [anId(), "nobody"])
      expect(await failure(core.projects.create(id, { name: "Mine" }))).toMatchObject({ code: "UNAUTHORIZED" })
  })

  it("take emails in any case, with blanks around them, as a request does [B8]", async () => {
    const { core, run, failure, projectId, mailer } = await inWorld()
    const password = "a long password"
    const { user } = await run(core.auth.email.signup(projectId, { email: " Ann@Example.COM", password }))
    expect(user.email).toBe("ann@example.com")
    expect(await failure(core.auth.email.signup(projectId, { email: "ANN@example.com", password }))).toMatchObject({
      code: "EMAIL_EXISTS",
    })
    const { developer } = await run(core.developers.signup({ email: "Dev@Example.com ", password }))
    expect(developer.email).toBe("dev@example.com")
    await run(core.auth.magicLinks.request(projectId, " Bob@Example.com"))
    expect(mailer.sent.map(({ to }) => to)).toEqual(["bob@example.com"])
    expect(await failure(core.auth.magicLinks.request(projectId, "nobody"))).toBeInstanceOf(InvalidInput)
  })

  it("have a rule each, or are called by the service alone", () => {
    const names = (found: object, rules: object | undefined, path: string): ReadonlyArray<string> =>
      Object.entries(found).flatMap(([name, value]) => {
        const rule = (rules as Record<string, object> | undefined)?.[name]
        if (typeof value === "function") return Array.isArray(rule) ? [] : [path + name]
        return typeof value === "object" && value !== null ? names(value, rule, `${path}${name}.`) : []
      })
    const { access, background, limits, ...features } = testWorld().core
    expect(names(features, inputRules, "").filter((name) => !name.startsWith("live.stop"))).toEqual([
      ...["signUp", "signIn", "signInByPassword", "verify", "verifyUnlessGone", "checkLive"].map(
        (name) => `auth.sessions.${name}`,
      ),
      "content.schedules.removeWithLibrary",
      "live.count",
      ...["media.files.receive", "media.files.open", "projects.eraseAbandoned"],
      ...["refusals.note", "refusals.write"],
      ...["webhooks.receivePaywall", "webhooks.receiveSubscription"],
    ])
  })

  it("have options that are checked as those of a request are", async () => {
    const { core, run, failure, projectId } = await inWorld()
    const refused = await failure(core.streaks.list(projectId, { limit: -1, offset: 0.5 }))
    expect(refused).toMatchObject({
      code: "INVALID_INPUT",
      message: "limit must be an integer from 1 to 1000; offset must be an integer from 0.",
      details: { issues: [{ path: "limit" }, { path: "offset" }] },
    })
    expect(await failure(core.users.list(projectId, { search: "NUL \u0000" }))).toMatchObject({
      details: { issues: [{ path: "search", message: "must be well-formed Unicode without NUL" }] },
    })
    const since = new Date(Number.NaN)
    expect(await failure(core.events.count(projectId, { since }))).toBeInstanceOf(InvalidInput)
    expect((await run(core.streaks.list(projectId, { limit: 1_000 }))).total).toBe(0)
  })

  it("have options and words that are checked by what they may be", async () => {
    const { core, failure, projectId, userId } = await inWorld()
    const wrong = "wrong" as never
    const calls = [
      ["scope", core.feeds.page(projectId, userId, { scope: wrong })],
      ["scope", core.feeds.page(projectId, userId, { scope: { of: "group", group_id: "none" } })],
      ["rating_min", core.reviews.manage.list(projectId, { rating_min: wrong })],
      ["rating_max", core.exports.reviews(projectId, { rating_max: 6 })],
      ["is_approved", core.reviews.manage.list(projectId, { is_approved: wrong })],
      ["format", core.exports.users(projectId, { format: wrong })],
      ["status", core.moderation.queue.list(projectId, wrong)],
      ["status", core.pushDeliveries.list(projectId, anId(), wrong)],
      ["direction", core.relations.follows(projectId, userId, wrong)],
      ["ban", core.groups.kick(projectId, userId, anId(), anId(), wrong)],
      ["provider", core.webhooks.test(projectId, wrong)],
      ["platform", core.deepLinks.resolve(projectId, userId, "sale", wrong)],
      ["address", core.auth.anonymous(projectId, 5 as never)],
      ["refresh_token", core.auth.sessions.refresh(projectId, 5 as never)],
    ] as ReadonlyArray<readonly [string, Effect.Effect<unknown, { readonly code: string }>]>
    for (const [path, call] of calls)
      expect(await failure(call), path).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ path }] } })
    expect(await failure(core.moderation.queue.list(projectId, wrong))).toMatchObject({
      message: "status must be pending, approved, rejected or escalated.",
    })
  })

  it("change no role to one that there is not", async () => {
    const { core, run, failure, aSignedInUser, projectId, userId } = await inWorld()
    const { userId: other } = await aSignedInUser(projectId)
    const { id } = await run(core.groups.create(projectId, userId, { name: "Readers" }))
    const admin = { app_user_id: other, role: "admin" } as const
    await run(core.groups.admin.addMember(projectId, id, admin))
    for (const role of ["Admin", "", null, undefined])
      expect(await failure(core.groups.admin.changeRole(projectId, id, other, role as never))).toMatchObject({
        message: "role must be owner, admin or member.",
      })
    const { rows } = await run(core.groups.admin.members(projectId, id))
    expect(rows).toContainEqual(expect.objectContaining(admin))
  })

  it("take null for an id that nobody has, where an id is needed", async () => {
    const { core, failure, projectId, userId } = await inWorld()
    const none = null as never
    expect(await failure(core.streaks.own(none, userId))).toMatchObject({ code: "NOT_FOUND" })
    expect(await failure(core.streaks.own(projectId, none))).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await failure(core.content.libraries.update(projectId, none, { name: "x" }))).toBeInstanceOf(NotFound)
  })

  it("look at no option that they do not know", async () => {
    const { core, run, projectId, userId } = await inWorld()
    const filter = { app_user_id: userId, "pg_sleep(9) is null or id": anId() }
    expect(await run(core.media.list(projectId, filter, {}, ""))).toMatchObject({ rows: [], total: 0 })
  })

  it("take an id that is no uuid for one that nobody has, and a uuid in upper case for the same one", async () => {
    const { core, run, failure, projectId, userId } = await inWorld()
    const { id } = await run(core.streaks.create(projectId, { name: "Daily", qualifying_event: "lesson" }))
    expect(await failure(core.streaks.update(projectId, "'; drop table", {}))).toBeInstanceOf(NotFound)
    expect(await failure(core.projects.get("nope"))).toBeInstanceOf(NotFound)
    expect(await failure(core.users.me(projectId, ""))).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await run(core.streaks.remove(projectId, "none"))).toBe(0)
    expect(await failure(core.leaderboards.countDifferences(projectId, "nope"))).toBeInstanceOf(NotFound)
    const lesson = { event_name: "lesson" }
    expect(await failure(core.events.recordOwnWithEffects("nope", userId, lesson))).toMatchObject({ code: "NOT_FOUND" })
    expect(await failure(core.trackingSessions.end(projectId, userId, "a\0"))).toBeInstanceOf(InvalidInput)
    expect((await run(core.users.get(projectId, userId.toUpperCase()))).id).toBe(userId)
    expect(await run(core.streaks.update(projectId, id.toUpperCase(), { max_freezes: 2 }))).toMatchObject({ id })
    const owned = { name: "Readers", owner_id: userId.toUpperCase() }
    expect(await run(core.groups.admin.create(projectId, owned))).toMatchObject({ owner_id: userId })
    const alone = { type: "direct", participant_ids: [userId.toUpperCase()] } as const
    expect(await failure(core.conversations.open(projectId, userId, alone))).toBeInstanceOf(InvalidInput)
    const store = core.stores.create(projectId, { name: "Shop", segment_id: "nope" })
    expect(await failure(store)).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ path: "segment_id" }] } })
  })

  it.each([anId(), "no project"])(
    "of a project that there is not (%s) are not found, and none is unavailable",
    async (id) => {
      const { core, run } = await inWorld()
      const failures = new Map<string, unknown>()
      for (const [path, call] of callsIn(inputRules, core, id)) {
        if (!Effect.isEffect(call)) continue
        const exit = await run(Effect.exit(call as Effect.Effect<unknown, { readonly code?: string }>))
        if (exit._tag === "Failure") failures.set(path, exit.cause.reasons.find(Cause.isFailReason)?.error.code)
      }
      expect([...failures].filter(([, code]) => code === "TENANT_UNAVAILABLE")).toEqual([])
      expect([...failures].filter(([, code]) => code === "NOT_FOUND").length).toBeGreaterThan(100)
      expect(Object.fromEntries(failures)).toMatchObject({ "streaks.list": "NOT_FOUND", "auth.anonymous": "NOT_FOUND" })
    },
  )

  it("of a project whose database cannot be reached are unavailable, also without the control database", async () => {
    const { core, failure, projectId, tenants, control } = await inWorld()
    tenants.unreachable(projectId, true)
    expect(await failure(core.streaks.list(projectId))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
    const away = { ...control, read: () => Effect.die(new ServiceUnavailable()) }
    const alone = createEngagement({ ...(await inWorld()).ports, tenants, control: away })
    expect(await failure(alone.streaks.list(projectId))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
  })

  it("of a project that callers have found before are unavailable once it is gone", async () => {
    const { ports, failure } = await inWorld()
    const core = createEngagement(ports, { knownProjects: true })
    expect(await failure(core.streaks.list(anId()))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
  })
})
