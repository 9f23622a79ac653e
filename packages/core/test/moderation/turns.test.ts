import type { TenantDb, Tenants } from "@hearth/core"
import type { Patterns } from "@hearth/core/moderation"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

/** A world whose patterns are as large as they may be, with five long texts to read. */
const setUp = async () => {
  // Each match of a long text, and each turn of others.
  const order: Array<string> = []
  const match = (text: string) => {
    if (text.length === 20_000) order.push("match")
    return []
  }
  const matchApart = (text: string) => Effect.sync(() => match(text))
  const patterns: Patterns = { findFault: () => null, compile: () => [{ bytes: 0, steps: 3_000, match, matchApart }] }
  const { core, run, aProjectWithOwner, aSignedInUser } = testWorld({ ports: () => ({ patterns }) })
  const { projectId } = await aProjectWithOwner()
  const item = { item_type: "film", item_id: "1", rating: 3, title: null, body: "a".repeat(20_000) }
  const users = await Promise.all(Array.from({ length: 5 }, () => aSignedInUser(projectId)))
  // As servers run them, unlike the world's: what yields lets everybody have a turn.
  const write = () =>
    Promise.all(users.map(({ userId }) => Effect.runPromise(core.reviews.create(projectId, userId, item))))
  let next: NodeJS.Immediate
  const others = () => {
    order.push("others")
    next = setImmediate(others)
  }
  /** How many matches there were, and how many of them right after another one. */
  const count = async (work: () => Promise<unknown>) => {
    order.length = 0
    others()
    await work()
    clearImmediate(next)
    const inARow = order.filter((what, at) => what === "match" && order[at - 1] === "match")
    return { matches: order.filter((what) => what === "match").length, inARow: inARow.length }
  }
  return { core, run, projectId, write, count }
}

describe("matches that may take long", () => {
  const config = { pattern: "a", action: "flag" }

  it("of texts that are written at once have others in between", async () => {
    const { core, run, projectId, write, count } = await setUp()
    await run(core.moderation.rules.create(projectId, { name: "a", rule_type: "regex", config, is_active: true }))
    expect(await count(write)).toEqual({ matches: 5, inARow: 0 })
  })

  it("of previews have others in between, however many are asked for at once", async () => {
    const { core, projectId, write, count } = await setUp()
    await write()
    const preview = () => Effect.runPromise(core.moderation.preview(projectId, { rule_type: "regex", config }))
    expect(await count(() => Promise.all([preview(), preview(), preview()]))).toEqual({ matches: 15, inARow: 0 })
  })
})

describe("a preview of a rule", () => {
  it("reads a few texts at a time, however many it looks through [I6.5]", async () => {
    const found: Array<number> = []
    const { core, run, aProjectWithOwner, aSignedInUser } = testWorld({
      ports: ({ tenants }) => {
        const count = (db: TenantDb, at: number): TenantDb => {
          const find: TenantDb["reviews"]["find"] = (where) => {
            found[at] = (found[at] ?? 0) + 1
            return db.reviews.find(where)
          }
          return { ...db, reviews: { ...db.reviews, find } }
        }
        const counted: Tenants<TenantDb> = {
          ...tenants,
          read: (projectId, work) => tenants.read(projectId, (db) => work(count(db, found.push(0) - 1))),
        }
        return { tenants: counted }
      },
    })
    const { projectId } = await aProjectWithOwner()
    const { userId } = await aSignedInUser(projectId)
    for (let n = 0; n < 50; n += 1) {
      const review = { item_type: "film", item_id: `${n}`, rating: 3, title: null, body: n === 7 ? "spam" : "fine" }
      await run(core.reviews.create(projectId, userId, review))
    }
    found.length = 0
    const rule = { rule_type: "keyword", config: { keywords: ["spam"] } }
    // The user has a name, which is read as well.
    expect(await run(core.moderation.preview(projectId, rule))).toMatchObject({ checked: 51, matches: 1 })
    expect(found.reduce((sum, each) => sum + each, 0)).toBe(50)
    expect(Math.max(...found)).toBe(20)
  })
})
