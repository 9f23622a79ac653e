import { exportSections, type TenantDb } from "@hearth/core"
import type { ExportFile } from "@hearth/core/exports"
import { anEvent, aPushToken, aStreakDefinition, aUser, testWorld } from "@hearth/testing"
import { Effect, Exit, Stream } from "effect"
import { describe, expect, it, test } from "vitest"
import { fault, withFault } from "../faults.ts"

type Fault = (db: TenantDb) => TenantDb

const setUp = async (build: Fault = (db) => db) => {
  const world = testWorld({
    startAt: "2026-03-01T12:00:00.000Z",
    ports: ({ tenants }) => ({ tenants: withFault(tenants, build) }),
  })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const textOf = ({ text }: ExportFile) => world.run(Stream.mkString(text))
  const { exports } = world.core
  return {
    world,
    projectId,
    userId,
    textOf,
    write: <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) =>
      world.run(world.tenants.transact(projectId, (db) => Effect.orDie(work(db)))),
    users: (given: Partial<Parameters<typeof exports.users>[1]> = {}) =>
      exports.users(projectId, { format: "csv", since: null, segment_id: null, ...given }),
    events: (given: Partial<Parameters<typeof exports.userEvents>[1]> = {}) => {
      const all = { since: null, until: null, event_name: null }
      return exports.userEvents(projectId, { format: "ndjson", user_id: userId, ...all, ...given })
    },
    bundle: (id = userId) => exports.user(projectId, id),
  }
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { section: string; error?: string; data: Record<string, unknown> })

const nobody = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"

describe("an export of users", () => {
  it("has a header and every user once, over many pages", async () => {
    const { world, write, users, textOf } = await setUp()
    const more = Array.from({ length: 700 }, () => aUser())
    await write((db) => Effect.forEach(more, db.users.insert))
    const file = await world.run(users())
    expect(file).toMatchObject({ content_type: "text/csv; charset=utf-8", filename: "users-export.csv" })
    const [header, ...lines] = (await textOf(file)).trimEnd().split("\n")
    expect(header).toBe("id,email,anonymous_id,created_at,last_seen_at,properties,platform_strings,push_token_count")
    expect(lines).toHaveLength(701)
    expect(new Set(lines).size).toBe(701)
    expect(lines).toEqual(lines.toSorted())
  })

  it("has only a header, or nothing, when there are no users", async () => {
    const { world, users, textOf } = await setUp()
    const since = new Date("2027-01-01T00:00:00.000Z")
    expect(await textOf(await world.run(users({ since })))).toMatch(/^id,[^\n]+\n$/)
    const ndjson = await world.run(users({ since, format: "ndjson" }))
    expect(ndjson).toMatchObject({
      content_type: "application/x-ndjson; charset=utf-8",
      filename: "users-export.ndjson",
    })
    expect(await textOf(ndjson)).toBe("")
  })

  it("fails before the file begins when the first page cannot be read", async () => {
    const { world, projectId, users } = await setUp()
    world.tenants.unreachable(projectId, true)
    expect(await world.run(Effect.flip(users()))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
  })

  it("is cut off when a later page cannot be read", async () => {
    const broken = fault()
    const { world, write, users, textOf } = await setUp((db) => ({
      ...db,
      exports: {
        ...db.exports,
        users: (...given) =>
          given[2] !== null && broken.shouldFail() ? Effect.die("cut off") : db.exports.users(...given),
      },
    }))
    await write((db) =>
      Effect.forEach(
        Array.from({ length: 300 }, () => aUser()),
        db.users.insert,
      ),
    )
    broken.arm()
    const file = await world.run(users())
    await expect(textOf(file)).rejects.toThrow("cut off")
    expect((await textOf(await world.run(users()))).split("\n")).toHaveLength(303)
  })
})

describe("an export of a user's events", () => {
  it("lists them oldest first, within the bounds", async () => {
    const { world, userId, write, events, textOf } = await setUp()
    const at = (day: number) => new Date(Date.UTC(2026, 0, day))
    const all = [3, 1, 2].map((day) => anEvent({ app_user_id: userId, occurred_at: at(day), event_name: `${day}` }))
    await write((db) => db.events.insert(all, { enqueue: false }))
    const namesOf = async (given: Parameters<typeof events>[0]) =>
      linesOf(await textOf(await world.run(events(given)))).map(
        (line) => (line as unknown as { event_name: string }).event_name,
      )
    expect(await namesOf({})).toEqual(["1", "2", "3"])
    expect(await namesOf({ since: at(2), until: at(3) })).toEqual(["2"])
    expect(await namesOf({ event_name: "3" })).toEqual(["3"])
    expect(await world.run(events({ format: "csv" }))).toMatchObject({ filename: `user-${userId}-events.csv` })
  })

  it("is no file for a user who is not there", async () => {
    const { world, events } = await setUp()
    expect(await world.run(Effect.flip(events({ user_id: nobody })))).toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("the file about one user", () => {
  const setUpWithData = async (build?: Fault) => {
    const made = await setUp(build)
    const { world, projectId, userId, write } = made
    const { id: _, created_at: __, ...definition } = aStreakDefinition({ qualifying_event: "lesson" })
    const streak = await world.run(world.core.streaks.create(projectId, definition))
    await world.run(world.core.streaks.qualify(projectId, userId, streak.id, {}))
    await write((db) => Effect.forEach([1, 2], () => db.pushTokens.insert(aPushToken({ app_user_id: userId }))))
    await write((db) => db.users.update(userId, { password_hash: "secret-hash" }))
    return made
  }
  const sectionsOf = (text: string) => linesOf(text).map(({ section, error }) => `${section}${error ? "!" : ""}`)
  const whole = ["app_users", "push_tokens", "push_tokens", "user_streaks", "streak_events", "engagement_events"]

  it("has the sections in the spec's order, none for empty ones, and no password hash", async () => {
    const { world, userId, bundle, textOf } = await setUpWithData()
    const file = await world.run(bundle())
    expect(file).toMatchObject({
      content_type: "application/x-ndjson; charset=utf-8",
      filename: `user-${userId}-export.ndjson`,
    })
    const text = await textOf(file)
    expect(sectionsOf(text)).toEqual(whole)
    // Those of further features are between the spec's: its last one, potentially the largest, is the last.
    const names = exportSections.map(({ name }) => name)
    expect(names.slice(0, 9)).toEqual([
      ...["app_users", "account_links", "push_tokens", "user_entitlements", "segment_memberships", "user_streaks"],
      ...["streak_events", "user_achievements", "leaderboard_entries"],
    ])
    expect(names.at(-1)).toBe("engagement_events")
    expect(text).not.toMatch(/secret-hash|password/)
    expect(linesOf(text)[0]?.data).toMatchObject({ id: userId, email: null, properties: {} })
  })

  it("shows streaks as they are now, before any poll [E2]", async () => {
    const { world, bundle, textOf } = await setUpWithData()
    world.clock.advance("5 days")
    const streak = linesOf(await textOf(await world.run(bundle()))).find(({ section }) => section === "user_streaks")
    expect(streak?.data).toMatchObject({ current_count: 0, longest_count: 1, status: "broken", expires_at: null })
  })

  it("is no file for a user who is not there", async () => {
    const { world, bundle } = await setUp()
    expect(await world.run(Effect.flip(bundle(nobody)))).toMatchObject({ code: "NOT_FOUND" })
  })

  test.each(["push_tokens", "engagement_events"] as const)(
    "continues after a section that fails, with an error line for it: %s",
    async (broken) => {
      const { world, projectId, bundle, textOf } = await setUpWithData((db) => ({
        ...db,
        exports: {
          ...db.exports,
          section: (...given) =>
            given[0].name === broken
              ? Effect.die(new Error("relation canary does not exist"))
              : db.exports.section(...given),
        },
      }))
      const text = await textOf(await world.run(bundle()))
      const expected = whole.filter((section) => section !== broken)
      expected.splice(broken === "push_tokens" ? 1 : expected.length, 0, `${broken}!`)
      expect(sectionsOf(text)).toEqual(expected)
      const marker = linesOf(text).find(({ error }) => error !== undefined)
      expect(marker).toEqual({ section: broken, error: "SECTION_QUERY_FAILED", message: expect.any(String) })
      expect(text).not.toContain("canary")
      const [signal] = world.signals.of("export_section_failed")
      expect(signal).toMatchObject({ project_id: projectId, section: broken })
      expect(signal?.reason).toContain("canary")
    },
  )

  it("keeps the rows before a failure in the middle of a section", async () => {
    const { world, userId, write, bundle, textOf } = await setUpWithData((db) => ({
      ...db,
      exports: {
        ...db.exports,
        section: (...given) =>
          given[0].name === "push_tokens" && given[2] !== null ? Effect.die("cut off") : db.exports.section(...given),
      },
    }))
    await write((db) =>
      Effect.forEach(Array.from({ length: 250 }), () => db.pushTokens.insert(aPushToken({ app_user_id: userId }))),
    )
    const sections = sectionsOf(await textOf(await world.run(bundle())))
    expect(sections.filter((section) => section === "push_tokens")).toHaveLength(200)
    expect(sections.slice(201)).toEqual(["push_tokens!", ...whole.slice(3)])
  })

  it("fails before the file begins when the user cannot be read", async () => {
    const { world, projectId, bundle } = await setUpWithData((db) => ({
      ...db,
      exports: { ...db.exports, section: () => Effect.die("cut off") },
    }))
    expect(Exit.hasDies(await world.run(Effect.exit(bundle())))).toBe(true)
    world.tenants.unreachable(projectId, true)
    expect(await world.run(Effect.flip(bundle()))).toMatchObject({ code: "TENANT_UNAVAILABLE" })
  })

  it("has an error line for every section when the database becomes unreachable midway", async () => {
    const { world, projectId, bundle, textOf } = await setUpWithData()
    const file = await world.run(bundle())
    world.tenants.unreachable(projectId, true)
    expect(sectionsOf(await textOf(file))).toEqual([
      "app_users",
      ...exportSections.slice(1).map(({ name }) => `${name}!`),
    ])
  })
})
