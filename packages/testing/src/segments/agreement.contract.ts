import type { TenantDb } from "@hearth/core"
import { fromUnits, readBalance, readRules } from "@hearth/core/currencies"
import { eventRules, matches, measureEvents, measureKey, type RuleGroup, type UserFacts } from "@hearth/core/segments"
import type { UserRow } from "@hearth/core/users"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { anyEqualityRules, anyRule, anyTree } from "./arbitrary-rules.ts"
import {
  fixtureCurrencies,
  fixtureNow,
  listDescribed,
  parseValidRules,
  type UserFixture,
  writeDefinition,
  writeUsers,
} from "./contract-fixtures.ts"
import { anyUserFixture } from "./contract-users.ts"

const userCount = 60

/** A user as stored, with what was written about the user. */
interface WrittenUser {
  readonly user: UserRow
  readonly fixture: UserFixture
}

const factsOf = ({ user, fixture }: WrittenUser, rules: RuleGroup): UserFacts => {
  const { entitlements = [], streaks = {}, achievements = [], xp, wallets = {}, events = [] } = fixture
  const stored = events.map((event) => ({ properties: {}, ...event }))
  return {
    user,
    entitlements,
    streaks: new Map(Object.entries(streaks)),
    achievements: new Set(achievements),
    xp: xp ?? 0,
    currencies: new Map(
      fixtureCurrencies.map((row) => {
        const balance = readBalance(readRules(row), wallets[row.code] ?? null, fixtureNow)
        return [row.code, fromUnits(balance)]
      }),
    ),
    events: new Map(eventRules(rules).map((rule) => [measureKey(rule), measureEvents(rule, stored, fixtureNow)])),
  }
}

/** That a project's database finds the same users as `matches`, for random rules and users. */
export const segmentAgreementContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("rules mean the same in the database and in the core", { timeout: 120_000 }, () => {
    // Users and rules are generated from it. A failure prints it; set it here to repeat the test.
    const seed = Math.floor(Math.random() * 2 ** 31)
    let db: DatabaseUnderTest<TenantDb>
    let definitions: ReadonlyArray<string>
    let written: ReadonlyArray<WrittenUser>
    beforeAll(async () => {
      db = await open()
      definitions = [await writeDefinition(db), await writeDefinition(db)]
      const fixtures = fc.sample(anyUserFixture(definitions), { seed, numRuns: userCount })
      const ids = await writeUsers(db, fixtures)
      // Read back as stored: JSON has no negative zero, and the database reorders keys.
      const rows = new Map((await db.read((tx) => tx.users.list({}, []))).map((user) => [user.id, user]))
      written = ids.map((id, at) => ({ user: rows.get(id) as UserRow, fixture: fixtures[at] ?? {} }))
    })

    const inCore = (rules: RuleGroup) =>
      written.filter((each) => matches(rules, factsOf(each, rules), fixtureNow)).map(({ user }) => user.id)

    /** Those whom the rules match by what the database reads about them. */
    const byFacts = async (rules: RuleGroup) => {
      const users = written.map(({ user }) => ({ user_id: user.id, rules: [rules] }))
      const facts = await db.read((tx) => tx.ruleFacts.read(users, fixtureNow))
      expect(facts).toHaveLength(users.length)
      return facts.filter((each) => matches(rules, each, fixtureNow)).map(({ user }) => user.id)
    }

    /** Compares both. Answers how many of the rules describe some users and not others. */
    const agree = async (rules: fc.Arbitrary<object>, numRuns: number) => {
      let distinguishing = 0
      const property = fc.asyncProperty(rules, async (given) => {
        const tree = parseValidRules(given)
        const described = await listDescribed(db, tree)
        if (described.length > 0 && described.length < userCount) distinguishing += 1
        expect(described).toEqual(inCore(tree).toSorted())
        expect((await byFacts(tree)).toSorted()).toEqual(described)
      })
      await fc.assert(property, { seed, numRuns })
      return distinguishing
    }

    it("of single rules", async () => {
      expect(await agree(anyRule(definitions), 600)).toBeGreaterThan(100)
    })

    it("of many rules that ask for other values of the same properties", async () => {
      let counted = 0
      const held = written.flatMap(({ fixture: { events = [] } }) =>
        events.flatMap(({ event_name, properties = {} }) =>
          Object.entries(properties).flatMap(([key, value]) =>
            typeof value === "string" || typeof value === "number" || typeof value === "boolean"
              ? [{ event: event_name, key, value }]
              : [],
          ),
        ),
      )
      const property = fc.asyncProperty(anyEqualityRules(held), async (given) => {
        const rules = given.map(parseValidRules)
        const wanted = written.map(({ user }, at) => ({
          user_id: user.id,
          rules: at % 3 === 0 ? rules.slice(1) : rules,
        }))
        const read = new Map(
          (await db.read((tx) => tx.ruleFacts.read(wanted, fixtureNow))).map(({ user, events }) => [user.id, events]),
        )
        for (const [at, each] of written.entries()) {
          for (const tree of wanted[at]?.rules ?? []) {
            for (const [key, measure] of factsOf(each, tree).events) {
              expect(read.get(each.user.id)?.get(key) ?? 0).toBe(measure)
              if (measure > 0) counted += 1
            }
          }
        }
      })
      await fc.assert(property, { seed, numRuns: 200 })
      expect(counted).toBeGreaterThan(50)
    })

    it("of rules that ask for the greatest values, among properties that are greater", async () => {
      const [longest, other] = ["€".repeat(1_000), `${"€".repeat(999)}x`]
      const values = [longest, other, Number.MAX_VALUE, -Number.MIN_VALUE]
      const held = [longest, longest, other, `${longest}€`, "€".repeat(5_000), [longest], { a: longest }]
      const events = [...held, Number.MAX_VALUE, -Number.MIN_VALUE].map((tag) => ({
        ...{ event_name: "tagged", occurred_at: fixtureNow, properties: { tag } },
      }))
      const [user_id = ""] = await writeUsers(db, [{ events }])
      const rules = values.map((value) =>
        parseValidRules({
          ...{ event: "tagged", op: "gte", count: 1 },
          where: { all: [{ field: "properties.tag", op: "eq", value }] },
        }),
      )
      const [facts] = await db.read((tx) => tx.ruleFacts.read([{ user_id, rules }], fixtureNow))
      const measured = rules.flatMap(eventRules).map((rule) => facts?.events.get(measureKey(rule)))
      await db.transact((tx) => tx.users.remove({ id: user_id }))
      expect(measured).toEqual([2, 1, 1, 1])
    })

    it("of trees of rules", async () => {
      expect(await agree(anyTree(definitions), 300)).toBeGreaterThan(25)
    })
  })
