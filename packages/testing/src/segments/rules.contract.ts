import type { TenantDb } from "@hearth/core"
import { complements } from "@hearth/core/segments"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { listDescribed, parseValidRules, type UserFixture, writeDefinition, writeUsers } from "./contract-fixtures.ts"
import type { FieldCases } from "./field-cases.ts"
import { eventCases, eventUsers, scoreCases, scoreUsers, streakCases, userFieldCases } from "./rule-cases.ts"

type Ids = ReadonlyMap<string, string>

const complementOf = (op: string) => Object.entries(complements).find(([, positive]) => positive === op)?.[0]

/** Which users a project's database finds by the rules of a segment: every operator on every kind of field [E6]. */
export const segmentRulesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("the rules of segments", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })
    beforeEach(() => db.transact((tx) => tx.users.remove({})))

    const writeNamed = async (users: Readonly<Record<string, UserFixture>>): Promise<Ids> => {
      const ids = await writeUsers(db, Object.values(users))
      return new Map(Object.keys(users).map((name, at) => [ids[at] ?? "", name]))
    }
    const namesBy = async (ids: Ids, rules: object) =>
      (await listDescribed(db, parseValidRules(rules))).map((id) => ids.get(id)).toSorted()

    const checkField = async ({ field, users, cases }: FieldCases) => {
      const ids = await writeNamed(users)
      for (const [op, value, ...described] of cases) {
        const rule = { field, op, value }
        const others = Object.keys(users).filter((name) => !described.includes(name))
        const complement = complementOf(op)
        expect(await namesBy(ids, rule), JSON.stringify(rule)).toEqual(described.toSorted())
        expect(await namesBy(ids, { operator: "NOT", conditions: [rule] }), `not ${JSON.stringify(rule)}`).toEqual(
          others.toSorted(),
        )
        if (complement === undefined) continue
        expect(await namesBy(ids, { ...rule, op: complement }), `${complement} ${JSON.stringify(rule)}`).toEqual(
          others.toSorted(),
        )
      }
    }

    it.each(userFieldCases)("test $field", checkField)

    it("test the count of a streak", async () => {
      await checkField(streakCases(await writeDefinition(db), await writeDefinition(db)))
    })

    it("find no user by a streak without a definition", async () => {
      const ids = await writeNamed({ any: {} })
      const field = "streaks.019b76da-a800-7000-8000-ffffffffffff.current_count"
      expect(await namesBy(ids, { field, op: "exists" })).toEqual([])
      expect(await namesBy(ids, { field, op: "neq", value: 1 })).toEqual(["any"])
    })

    it("test events", async () => {
      const ids = await writeNamed(eventUsers)
      for (const [op, count, within, ...described] of eventCases) {
        const rule = { event: "lesson", op, count, ...(within === null ? {} : { within }) }
        expect(await namesBy(ids, rule), JSON.stringify(rule)).toEqual(described.toSorted())
      }
    })

    it("test events by their properties, and sum these [G1.1]", async () => {
      const ids = await writeNamed(scoreUsers)
      for (const [rule, ...described] of scoreCases) {
        expect(await namesBy(ids, { event: "game", ...rule }), JSON.stringify(rule)).toEqual(described.toSorted())
      }
    })

    it("test every other column", async () => {
      const user = { email: "Bo@x.y", display_name: "Bo", anonymous_id: "anon", external_id: "ex", timezone: "UTC" }
      const ids = await writeNamed({ bo: { user }, al: { user: { display_name: "Al" } } })
      for (const [field, value] of Object.entries(user)) {
        expect(await namesBy(ids, { field, op: "eq", value }), field).toEqual(["bo"])
      }
      for (const [id, name] of ids) expect(await namesBy(ids, { field: "id", op: "eq", value: id })).toEqual([name])
      for (const field of ["first_seen_at", "created_at", "updated_at"]) {
        expect(await namesBy(ids, { field, op: "eq", value: "2026-01-01" }), field).toEqual(["al", "bo"])
      }
    })

    it("are combined in groups", async () => {
      const ids = await writeNamed({ bo: { user: { display_name: "bo" } }, al: { user: { display_name: "al" } } })
      const is = (value: string) => ({ field: "display_name", op: "eq", value })
      const group = (operator: string, ...conditions: ReadonlyArray<object>) => ({ operator, conditions })
      const groups: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
        [group("AND"), ["al", "bo"]],
        [group("OR"), []],
        [group("NOT", group("AND")), []],
        [group("NOT", group("OR")), ["al", "bo"]],
        [group("AND", is("bo"), is("al")), []],
        [group("OR", is("bo"), is("al")), ["al", "bo"]],
        [group("AND", is("bo"), group("OR")), []],
        [group("OR", group("AND", is("bo"), group("NOT", is("al"))), group("NOT", group("NOT", is("x")))), ["bo"]],
      ]
      for (const [rules, described] of groups) {
        expect(await namesBy(ids, rules), JSON.stringify(rules)).toEqual(described)
      }
    })

    it("treat awkward text as text", async () => {
      const awkward = `'"\\ $1 ? %_ {} [] () .*+^|$ \n\t 🦊 -- ; drop table app_users`
      const ids = await writeNamed({
        bo: { user: { display_name: awkward, properties: { [awkward.replaceAll(".", "")]: awkward } } },
        al: { user: { display_name: "x" } },
      })
      const field = `properties.${awkward.replaceAll(".", "")}`
      for (const rule of [
        { field: "display_name", op: "eq", value: awkward },
        { field: "display_name", op: "contains", value: awkward },
        { field, op: "eq", value: awkward },
        { field, op: "contains", value: awkward },
      ]) {
        expect(await namesBy(ids, rule)).toEqual(["bo"])
      }
      expect(await namesBy(ids, { field: `entitlements.${awkward}`, op: "exists" })).toEqual([])
      expect(await namesBy(ids, { event: awkward, op: "gt", count: 0 })).toEqual([])
    })

    it("work at the limits of number and length", async () => {
      const long = "Ä.".repeat(500)
      const ids = await writeNamed({ bo: { user: { display_name: `x${long}` } }, al: {} })
      const path = `properties.${"a.".repeat(250)}`.slice(0, 512).replace(/\.$/, "")
      const conditions = [
        { field: "display_name", op: "contains", value: long.toLowerCase() },
        ...Array.from({ length: 20 }, () => ({ field: path, op: "not_within", value: "36500d" })),
        ...Array.from({ length: 20 }, (_, at) => ({ event: `e${at}`, op: "eq", count: 0, within: `${at + 1}d` })),
        ...Array.from({ length: 9 }, (_, at) => ({ field: `entitlements.${at}`, op: "not_exists" })),
      ]
      expect(await namesBy(ids, { operator: "AND", conditions })).toEqual(["bo"])
    })
  })
