import type { Engagement, TenantDb, Tenants } from "@hearth/core"
import type { NewModerationRule, Patterns } from "@hearth/core/moderation"
import { type TestWorld, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"

const keyword = (word: string, action = "reject"): NewModerationRule => ({
  name: word,
  rule_type: "keyword",
  config: { keywords: [word], action },
  is_active: true,
})

/** A world that counts the statements of rules. `afterRead` runs once rules were read. */
const setUp = async (afterRead: () => Effect.Effect<void> = () => Effect.void) => {
  let reads = 0
  const world: TestWorld = testWorld({
    ports: ({ tenants }) => {
      const count = (db: TenantDb): TenantDb => {
        const active = () => {
          reads += 1
          return Effect.tap(db.moderationRules.active(), afterRead)
        }
        return { ...db, moderationRules: { ...db.moderationRules, active } }
      }
      const counted: Tenants<TenantDb> = {
        ...tenants,
        read: (projectId, work) => tenants.read(projectId, (db) => work(count(db))),
      }
      return { tenants: counted }
    },
  })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const rename = async (display_name: string, core: Engagement = world.core) => {
    const exit = await world.run(Effect.exit(core.users.update(projectId, userId, { display_name })))
    return exit._tag === "Success"
  }
  return { world, projectId, userId, rename, reads: () => reads }
}

describe("rules that are remembered", () => {
  it("are compiled once, until one of them changes [I6.1]", async () => {
    const { world, projectId, rename, reads } = await setUp()
    const { rules } = world.core.moderation
    const { id } = await world.run(rules.create(projectId, keyword("spam")))
    const before = reads()
    for (let n = 0; n < 5; n++) expect(await rename("spam")).toBe(false)
    await world.advance("20 seconds")
    expect(await rename("spam")).toBe(false)
    expect(reads() - before).toBe(1)
    await world.run(rules.update(projectId, id, { config: { keywords: ["ham"], action: "reject" } }))
    expect([await rename("spam"), await rename("ham")]).toEqual([true, false])
    await world.run(rules.update(projectId, id, { is_active: false }))
    expect(await rename("ham")).toBe(true)
    await world.run(rules.update(projectId, id, { is_active: true }))
    expect(await rename("ham")).toBe(false)
    await world.run(rules.remove(projectId, id))
    expect(await rename("ham")).toBe(true)
  })

  it("change at once in another process that hears of it [I6.1]", async () => {
    const { world, projectId, rename } = await setUp()
    const other = world.otherProcess()
    expect(await rename("spam", other)).toBe(true)
    const { id } = await world.run(world.core.moderation.rules.create(projectId, keyword("spam")))
    // It hears within a tenth of a second.
    await world.advance("100 millis")
    expect(await rename("spam", other)).toBe(false)
    await world.run(world.core.moderation.rules.remove(projectId, id))
    await world.advance("100 millis")
    expect(await rename("spam", other)).toBe(true)
  })

  it("stay those of the last change where an earlier look at them ends later [I6.1]", async () => {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    const { world, projectId, rename } = await setUp(() => {
      reads += 1
      if (reads > 1) return Effect.void
      asked.resolve()
      return Effect.promise(() => answered.promise)
    })
    const { rules } = world.core.moderation
    const { id } = await world.run(rules.create(projectId, keyword("spam")))
    const early = rename("spam")
    await asked.promise
    await world.run(rules.update(projectId, id, { config: { keywords: ["ham"], action: "reject" } }))
    expect(await rename("ham")).toBe(false)
    answered.resolve()
    await early
    expect([await rename("spam"), await rename("ham")]).toEqual([true, false])
  })

  it("are those of a change after a restore, also where there were as many changes before it [I6.1]", async () => {
    const { world, projectId, rename } = await setUp()
    const { rules } = world.core.moderation
    const { id } = await world.run(rules.create(projectId, keyword("spam")))
    const saved = Option.getOrThrow(
      await world.run(world.tenants.read(projectId, (db) => db.moderationRules.find({ id }))),
    )
    await world.run(rules.update(projectId, id, { config: { keywords: ["ham"], action: "reject" } }))
    expect([await rename("ham"), await rename("eggs")]).toEqual([false, true])
    const { id: _, ...columns } = saved
    await world.run(world.tenants.transact(projectId, (db) => Effect.orDie(db.moderationRules.update(id, columns))))
    await world.run(rules.update(projectId, id, { config: { keywords: ["eggs"], action: "reject" } }))
    expect([await rename("ham"), await rename("eggs")]).toEqual([true, false])
  })

  it("are compiled a group at a time, with others in between [I6.1]", async () => {
    const order: Array<string> = []
    const patterns: Patterns = {
      findFault: () => null,
      *compile(given) {
        for (const pattern of given) {
          order.push(pattern)
          yield { bytes: 0, steps: 1, match: () => [], matchApart: () => Effect.succeed([]) }
        }
      },
    }
    const world = testWorld({ ports: () => ({ patterns }) })
    const { projectId } = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(projectId)
    for (const pattern of ["a", "b", "c"]) {
      const rule = { name: pattern, rule_type: "regex", config: { pattern, action: "flag" }, is_active: true }
      await world.run(world.core.moderation.rules.create(projectId, rule))
    }
    const others = Effect.forever(
      Effect.andThen(
        Effect.sync(() => order.push("others")),
        Effect.yieldNow,
      ),
    )
    const rename = world.core.users.update(projectId, userId, { display_name: "Ada" })
    await world.run(Effect.raceFirst(rename, others))
    expect(order.slice(order.indexOf("a"), order.indexOf("c"))).toContain("others")
  })

  it("are those of the project alone", async () => {
    const { world, projectId, rename } = await setUp()
    const { projectId: another } = await world.aProjectWithOwner()
    await world.run(world.core.moderation.rules.create(another, keyword("spam")))
    expect(await rename("spam")).toBe(true)
    await world.run(world.core.moderation.rules.create(projectId, keyword("spam")))
    expect(await rename("spam")).toBe(false)
  })

  it("have at most 1,000,000 characters of keywords in all", async () => {
    const { world, projectId } = await setUp()
    const { rules } = world.core.moderation
    const long = (n: number): NewModerationRule => ({
      ...keyword("x"),
      config: { keywords: Array.from({ length: 1_000 }, (_, at) => `${n}-${at}-`.padEnd(200, "x")) },
    })
    for (let n = 0; n < 5; n++) await world.run(rules.create(projectId, long(n)))
    const refused = await world.run(Effect.flip(rules.create(projectId, long(5))))
    expect(refused).toMatchObject({ code: "QUOTA_EXCEEDED", details: { limit: 1_000_000 } })
    const off = await world.run(rules.create(projectId, { ...long(5), is_active: false }))
    expect(await world.run(Effect.flip(rules.update(projectId, off.id, { is_active: true })))).toMatchObject({
      code: "QUOTA_EXCEEDED",
    })
  })
})

describe("a name that a moderator has approved", () => {
  it("stays where an app sends it again with something else; another one is judged [I6.3]", async () => {
    const { world, projectId, userId } = await setUp()
    const { moderation, users } = world.core
    await world.run(moderation.rules.create(projectId, keyword("spam", "hold")))
    const update = (changes: object) => world.run(users.update(projectId, userId, changes))
    const waiting = async () =>
      (await world.run(moderation.queue.list(projectId, "pending", { limit: 9, offset: 0 }))).rows
    const seen = async () => {
      const found = await world.run(world.tenants.read(projectId, (db) => db.users.find({ id: userId })))
      return Option.getOrThrow(found).display_name
    }
    await update({ display_name: "spam" })
    const anew = await seen()
    expect(await update({ display_name: "spam", timezone: "Europe/Berlin" })).toMatchObject({ display_name: "spam" })
    expect(await seen()).toBe(anew)
    await world.run(moderation.queue.approve(projectId, (await waiting())[0]?.id ?? ""))
    await update({ display_name: "spam", avatar_url: null, timezone: "Europe/Rome" })
    expect([await seen(), await waiting()]).toEqual(["spam", []])
    await update({ display_name: "more spam" })
    expect(await seen()).not.toMatch("spam")
    expect(await waiting()).toHaveLength(1)
  })
})

describe("queued items", () => {
  it("are kept for 365 days after they were resolved [I0.3]", async () => {
    const { world, projectId, userId, rename } = await setUp()
    const { moderation } = world.core
    await world.run(moderation.rules.create(projectId, keyword("spam", "flag")))
    await rename("spam")
    const list = async (status: "approved" | "pending") =>
      (await world.run(moderation.queue.list(projectId, status, { limit: 10, offset: 0 }))).total
    const { rows } = await world.run(moderation.queue.list(projectId, "pending", { limit: 10, offset: 0 }))
    await world.run(moderation.queue.approve(projectId, rows[0]?.id ?? ""))
    await rename("more spam")
    expect([await list("approved"), await list("pending"), userId.length]).toEqual([1, 1, 36])
    await world.advance("364 days")
    expect(await list("approved")).toBe(1)
    await world.advance("2 days")
    expect([await list("approved"), await list("pending")]).toEqual([0, 1])
  })
})

describe("what the queue shows of a long text", () => {
  const filling = (letter: string) => `${letter.repeat(7)} `.repeat(300)
  const rules: ReadonlyArray<Pick<NewModerationRule, "rule_type" | "config">> = [
    { rule_type: "keyword", config: { keywords: ["forbidden"] } },
    { rule_type: "regex", config: { pattern: "forb.dden" } },
    { rule_type: "link", config: { deny_domains: ["forbidden.test"] } },
  ]

  it.each(rules)("is where a rule of $rule_type matches [I6.2]", async (rule) => {
    const { world, projectId, userId } = await setUp()
    const { core } = world
    await world.run(core.moderation.rules.create(projectId, { name: "x", is_active: true, ...rule }))
    const written = `${filling("a")}see https://ＦＯＲＢＩＤＤＥＮ.test now ${filling("z")}`
    const review = { item_type: "film", item_id: "1", rating: 3, title: null, body: written }
    await world.run(core.reviews.create(projectId, userId, review))
    const { rows } = await world.run(core.moderation.queue.list(projectId, "pending", { limit: 9, offset: 0 }))
    expect(rows).toMatchObject([{ reason: rule.rule_type }])
    const { excerpt = "" } = rows[0] ?? {}
    expect(excerpt).toContain("https://ＦＯＲＢＩＤＤＥＮ.test")
    expect([excerpt.length <= 280, written.includes(excerpt)]).toEqual([true, true])
  })
})
