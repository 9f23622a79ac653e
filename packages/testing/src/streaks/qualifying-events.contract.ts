import type { TenantDb } from "@hearth/core"
import type { FromInstant, QualifyingEventRow, StreakKey } from "@hearth/core/streaks"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { aQualifyingEvent, aStreakDefinition } from "./builders.ts"

const at = (millis: number) => new Date(Date.UTC(2026, 2, 1) + millis)

/** What a project promises about the events that definitions have counted. */
export const qualifyingEventsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("qualifying events", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const aKey = async (given: Partial<StreakKey> = {}): Promise<StreakKey> => {
      const [user, definition] = [aUser(), aStreakDefinition()]
      await db.transact((tx) =>
        Effect.orDie(Effect.andThen(tx.users.insert(user), tx.streakDefinitions.insert(definition))),
      )
      return { app_user_id: user.id, streak_definition_id: definition.id, ...given }
    }
    const add = (...events: ReadonlyArray<QualifyingEventRow>) => db.transact((tx) => tx.qualifyingEvents.add(events))
    const list = (limit: number, ...keys: ReadonlyArray<FromInstant>) =>
      db.read((tx) => tx.qualifyingEvents.list(keys, limit))
    const event = (key: StreakKey, millis: number, given: Partial<QualifyingEventRow> = {}) =>
      aQualifyingEvent({ ...key, occurred_at: at(millis), ...given })

    it("keeps every column of an event", async () => {
      const key = await aKey()
      const events = [
        event(key, 1, { day: "0001-12-31", zone: "Asia/Tokyo", events: 3, counted_at: at(9) }),
        event(key, 2, { day: "9999-12-31", counted_at: null }),
      ]
      await add(...events.toReversed())
      await add()
      expect(await list(10, { ...key, from: at(0) })).toStrictEqual(events)
    })

    it("counts more at one instant, on the first day, in the first zone and as of the first time", async () => {
      const key = await aKey()
      await add(event(key, 1, { zone: "Asia/Tokyo", day: "2026-03-01" }))
      await add(event(key, 1, { zone: null, day: "2026-02-28", events: 2, counted_at: at(5) }), event(key, 2))
      expect(await list(10, { ...key, from: at(0) })).toStrictEqual([
        event(key, 1, { zone: "Asia/Tokyo", day: "2026-03-01", events: 3 }),
        event(key, 2),
      ])
    })

    it("answers the events from an instant on, streak by streak in the order given, up to a limit in all", async () => {
      const [one, two, none] = [await aKey(), await aKey(), await aKey()]
      const same = await aKey({ app_user_id: one.app_user_id })
      for (const key of [one, two, same]) await add(event(key, 3), event(key, 1), event(key, 2))
      const from = (key: StreakKey, millis: number) => ({ ...key, from: at(millis) })
      expect(await list(10, from(two, 2), from(none, 0), from(one, 1))).toStrictEqual([
        event(two, 2),
        event(two, 3),
        event(one, 1),
        event(one, 2),
        event(one, 3),
      ])
      expect(await list(4, from(one, 0), from(two, 0))).toStrictEqual([
        ...[1, 2, 3].map((millis) => event(one, millis)),
        event(two, 1),
      ])
      expect(await list(4, from(one, 4))).toEqual([])
      expect(await list(4)).toEqual([])
    })

    it("refuses events without user or definition, none at all and an instant twice", async () => {
      const key = await aKey()
      const refused = [
        [event({ ...key, app_user_id: anId() }, 1)],
        [event({ ...key, streak_definition_id: anId() }, 1)],
        [event(key, 1, { events: 0 })],
        [event(key, 1), event(key, 1)],
      ]
      for (const events of refused) {
        expect(died(await db.attempt((tx) => tx.qualifyingEvents.add(events)))).toBe(true)
      }
      expect(await list(9, { ...key, from: at(0) })).toEqual([])
    })

    it("of a user are removed in pieces, of whatever definition [I0.4]", async () => {
      const [one, other] = [await aKey(), await aKey()]
      const same = { ...one, streak_definition_id: other.streak_definition_id }
      await add(event(one, 1), event(one, 2), event(same, 1), event(other, 1))
      const removeSome = () => db.transact((tx) => tx.qualifyingEvents.removeSome(one.app_user_id, 2))
      expect([await removeSome(), await removeSome(), await removeSome()]).toEqual([2, 1, 0])
      const left = [one, same, other].map((key) => ({ ...key, from: at(0) }))
      expect(await list(9, ...left)).toStrictEqual([event(other, 1)])
    })

    it("are removed with their user and with their definition", async () => {
      const [gone, kept] = [await aKey(), await aKey()]
      const shared = { app_user_id: kept.app_user_id, streak_definition_id: gone.streak_definition_id }
      for (const key of [gone, kept, shared]) await add(event(key, 1))
      const counts = () =>
        Promise.all([gone, kept, shared].map(async (key) => (await list(9, { ...key, from: at(0) })).length))
      await db.transact((tx) => tx.users.remove({ id: gone.app_user_id }))
      expect(await counts()).toEqual([0, 1, 1])
      await db.transact((tx) => tx.streakDefinitions.remove({ id: gone.streak_definition_id }))
      expect(await counts()).toEqual([0, 1, 0])
    })

    it("lists the first events of spans of days, by the day that they have", async () => {
      const [key, other] = [await aKey(), await aKey()]
      const hour = 3_600_000
      const events = [
        event(key, 0, { day: "2026-03-01" }),
        event(key, 5 * hour, { day: "2026-03-01", events: 3 }),
        // West of UTC it is still the day before.
        event(key, 27 * hour, { day: "2026-03-01", zone: "America/Los_Angeles" }),
        event(key, 28 * hour, { day: "2026-03-02" }),
        event(key, 50 * hour, { day: "2026-03-03" }),
      ]
      await add(...events, event(other, 1, { day: "2026-03-01" }))
      const first = (limit: number, ...spans: ReadonlyArray<[string, string]>) =>
        db.read((tx) =>
          tx.qualifyingEvents.firstOfSpans(
            key,
            spans.map(([from, through]) => ({ from, through })),
            limit,
          ),
        )
      expect(await first(10, ["2026-03-01", "2026-03-01"])).toStrictEqual(events.slice(0, 3))
      expect(await first(2, ["2026-03-02", "2026-03-03"], ["2026-03-01", "2026-03-01"])).toStrictEqual([
        ...events.slice(3),
        ...events.slice(0, 2),
      ])
      expect(await first(10, ["2026-02-23", "2026-03-01"])).toHaveLength(3)
      expect(await first(10, ["2026-03-04", "2026-03-04"])).toEqual([])
      expect(await first(10)).toEqual([])
    })
  })
