import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeGroups } from "../../../src/postgres/groups/groups.ts"
import { makeGroupInvites } from "../../../src/postgres/groups/invites.ts"
import { makeGroupMembers } from "../../../src/postgres/groups/members.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const somebody = "00000000-0000-4000-8000-000000000001"
const large = "00000000-0000-4000-9000-000000000001"
const shape = (name: string, columns: ReadonlyArray<string> = ["id", "metadata"]) => ({
  name,
  columns,
  json: new Set<string>(),
  nullable: new Set<string>(),
  uniqueKeys: new Map(),
})

describe("the plans of groups", () => {
  let database: ProjectClient

  beforeAll(async () => {
    const id = (version: string, n: string) => `('00000000-0000-4000-${version}-' || lpad(to_hex(${n}), 12, '0'))::uuid`
    database = await openProjectClient([
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select ${id("8000", "n")}, 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now()
       from generate_series(1, 20000) as n`,
      // One large group, and many small ones of a few members each.
      `insert into groups select ${id("9000", "n")}, 'Group ' || n, null, null, true, 100000, '{}', ${id("8000", "n")},
         case n when 1 then 20000 else 3 end, 'shown', now() - n * interval '1 second', now()
       from generate_series(1, 5000) as n`,
      `insert into group_members select gen_random_uuid(), '${large}', ${id("8000", "n")}, n <= 3, now()
       from generate_series(1, 20000) as n`,
      `insert into group_members
       select gen_random_uuid(), ${id("9000", "n")}, ${id("8000", "n + k")}, k = 0, now()
       from generate_series(2, 5000) as n, generate_series(0, 2) as k`,
      `insert into group_invites
       select gen_random_uuid(), ${id("9000", "1 + n % 5000")}, 'CODE' || n, '${somebody}', null, 0, n % 2 = 0,
         now() + (n - 20000) * interval '1 hour', now()
       from generate_series(1, 20000) as n`,
      "vacuum analyze",
    ])
  })
  afterAll(() => database.close())

  /** The tables that the statements of `work` read as a whole, and how many statements they are. */
  const scansOf = async (work: (statements: Statements) => Effect.Effect<unknown>) => {
    let [plan, sent] = ["", 0]
    const explain = (text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => {
        sent += 1
        plan += JSON.stringify((await database.client.query(`explain (format json) ${text}`, [...values])).rows)
        return [{ id: large }]
      })
    await Effect.runPromise(Effect.exit(work({ rows: explain, instant: explain } as unknown as Statements)))
    const scans = [...plan.matchAll(/"Node Type":"Seq Scan"[^}]*?"Relation Name":"(\w+)"/g)].map(([, table]) => table)
    return { scans, sent, compared: plan.includes("~~*") }
  }
  const slice = { limit: 50, offset: 0 }
  const member = { id: large, group_id: large, app_user_id: somebody, is_admin: false, joined_at: new Date() }

  it("of a page of a large group's members read that page, and count nothing", async () => {
    const page = await scansOf((statements) =>
      makeGroupMembers(statements, shape("group_members")).listWithUsers(large, slice),
    )
    expect([page.sent, page.scans]).toEqual([1, []])
  })

  it("of joining and leaving are one statement, which reads no table as a whole", async () => {
    const members = (statements: Statements) => makeGroupMembers(statements, shape("group_members"))
    expect(await scansOf((statements) => members(statements).add(member))).toMatchObject({ sent: 1, scans: [] })
    expect(await scansOf((statements) => members(statements).remove(large, somebody))).toMatchObject({
      sent: 1,
      scans: [],
    })
    const counts = await scansOf((statements) => makeGroups(statements, shape("groups")).countsOf(somebody))
    expect(counts).toMatchObject({ sent: 1, scans: [] })
  })

  it("of a user's groups read the user's only", async () => {
    const own = await scansOf((statements) =>
      makeGroups(statements, shape("groups", ["id", "description", "metadata"])).pageOfUser(somebody, slice),
    )
    expect(own).toMatchObject({ sent: 2, scans: [] })
    const all = await scansOf((statements) => makeGroupMembers(statements, shape("group_members")).listOfUser(somebody))
    expect(all).toMatchObject({ sent: 1, scans: [] })
  })

  it("of a departure are three statements, whatever the size of the groups [I0.4]", async () => {
    const piece = await scansOf((statements) =>
      makeGroups(statements, shape("groups")).depart(somebody, new Date(), 500),
    )
    expect(piece).toMatchObject({ sent: 3, scans: [] })
  })

  it("of a list without a search compare no name", async () => {
    const found = (search: string) =>
      scansOf((statements) =>
        makeGroups(statements, shape("groups", ["id", "description", "metadata", "created_at"])).search(search, slice),
      )
    expect((await found("Group 1")).compared).toBe(true)
    expect((await found("")).compared).toBe(false)
  })

  it("of a page that is not full count nothing", async () => {
    const search = await scansOf((statements) =>
      makeGroups(statements, shape("groups", ["id", "description", "metadata", "created_at"])).search("Group 1", slice),
    )
    expect(search.sent).toBe(1)
  })

  it("of invites read those of the group, and those that have ended [I0.3]", async () => {
    const invites = (statements: Statements) => makeGroupInvites(statements, shape("group_invites"))
    const at = new Date()
    expect(await scansOf((statements) => invites(statements).pageLive(large, at, slice))).toMatchObject({ scans: [] })
    expect(await scansOf((statements) => invites(statements).end(large, { code: "C" }, at))).toMatchObject({
      scans: [],
    })
    expect(await scansOf((statements) => invites(statements).oldest())).toMatchObject({ scans: [] })
    const long = new Date(at.getTime() - 800 * 86_400_000)
    expect(await scansOf((statements) => invites(statements).removeOld(long, 20))).toMatchObject({ scans: [] })
  })
})
