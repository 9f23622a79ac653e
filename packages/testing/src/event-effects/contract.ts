import type { TenantDb } from "@hearth/core"
import type { EventEffects } from "@hearth/core/event-effects"
import type { NewEvent, WritingPlane } from "@hearth/core/events"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { aDeadLetter } from "../background/dead-letters.contract.ts"
import { anId, builtAt } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { anEvent } from "../events/builders.ts"
import { writeUser } from "../users/tables.ts"

const at = (millis: number) => new Date(new Date(builtAt).getTime() + millis)

const someEffects = (total: number): EventEffects => ({
  streaks: [{ streak_definition_id: anId(), before: 1, after: 2, status: "active", freezes_used: 0 }],
  achievements: [{ achievement_id: anId(), key: "first \u{1f98a}" }],
  xp: { awarded: 5, total, level: { name: "Bronze", xp_required: 1 } },
  leaderboards: [{ leaderboard_id: anId(), score: 0.1, rank: null }],
})

/** What a project promises about what events did [G9.1]. */
export const eventEffectsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("what events did", () => {
    let db: DatabaseUnderTest<TenantDb>
    let user: string
    beforeAll(async () => {
      db = await open()
      user = await db.transact(writeUser)
    })

    const write = async (given: Partial<NewEvent> = {}, plane: WritingPlane = "admin") => {
      const event = anEvent({ app_user_id: user, ...given })
      await db.read((tx) => tx.events.insert([event], { enqueue: false, plane }))
      return event
    }
    const asked = async (millis = 0) => {
      const { id } = await write()
      await db.transact((tx) => tx.eventEffects.ask(id, at(millis)))
      return id
    }
    const find = async (id: string) => Option.getOrNull(await db.read((tx) => tx.eventEffects.find(id)))
    const keep = (event_id: string, effects: EventEffects) =>
      db.transact((tx) => tx.eventEffects.keep([{ event_id, effects }]))

    it("is kept for those that are asked about, and for no others", async () => {
      const [id, other] = [await asked(1), (await write()).id]
      expect(await find(id)).toEqual({ asked_at: at(1), effects: null, is_set_aside: false })
      const effects = someEffects(7)
      await db.transact((tx) =>
        tx.eventEffects.keep([
          { event_id: id, effects },
          { event_id: other, effects },
        ]),
      )
      expect(await find(id)).toEqual({ asked_at: at(1), effects, is_set_aside: false })
      expect(await find(other)).toBeNull()
      await db.transact((tx) => tx.eventEffects.ask(id, at(9)))
      expect(await find(id)).toEqual({ asked_at: at(1), effects, is_set_aside: false })
      await db.transact((tx) => tx.eventEffects.keep([]))
    })

    it("is noted together with the effects where these are known already", async () => {
      const [{ id }, effects] = [await write(), someEffects(2)]
      await db.transact((tx) => tx.eventEffects.add([{ event_id: id, effects }], at(5)))
      expect(await find(id)).toEqual({ asked_at: at(5), effects, is_set_aside: false })
      expect(await db.read((tx) => tx.eventEffects.listAsked([id]))).toEqual([])
    })

    it("lists the events without effects that are asked about, in the order given", async () => {
      const [first, second, kept, other] = [await asked(), await asked(), await asked(), (await write()).id]
      await keep(kept, someEffects(1))
      const list = (...ids: ReadonlyArray<string>) => db.read((tx) => tx.eventEffects.listAsked(ids))
      expect(await list(second, kept, other, anId(), first)).toEqual([second, first])
      expect(await list()).toEqual([])
    })

    it("is only asked of events that there are, and goes with them", async () => {
      expect(died(await db.attempt((tx) => tx.eventEffects.ask(anId(), at(0))))).toBe(true)
      const gone = await db.transact(writeUser)
      const { id } = await write({ app_user_id: gone })
      await db.transact((tx) => tx.eventEffects.ask(id, at(0)))
      await db.transact((tx) => tx.users.remove({ id: gone }))
      expect(await find(id)).toBeNull()
    })

    it("says that an event was set aside", async () => {
      const id = await asked()
      await db.transact((tx) => tx.deadLetters.insert(aDeadLetter({ event_id: id, app_user_id: user })))
      expect(await find(id)).toMatchObject({ effects: null, is_set_aside: true })
    })

    it("finds the event of the same user and plane that has an id", async () => {
      const other = await db.transact(writeUser)
      const external_id = anId()
      const twin = async (plane: WritingPlane, given: Partial<NewEvent> = {}) => {
        const event = anEvent({ app_user_id: user, external_id, ...given })
        return Option.getOrNull(await db.read((tx) => tx.eventEffects.findTwin(event, plane)))
      }
      expect(await twin("admin")).toBeNull()
      const admin = await write({ external_id })
      expect([await twin("admin"), await twin("client")]).toEqual([admin.id, null])
      const client = await write({ external_id }, "client")
      expect([await twin("admin"), await twin("client")]).toEqual([admin.id, client.id])
      expect([await twin("admin", { app_user_id: other }), await twin("client", { app_user_id: other })]).toEqual([
        null,
        null,
      ])
      expect(await twin("client", { external_id: null })).toBeNull()
    })

    it("forgets those asked about before an instant, the oldest first", async () => {
      await db.transact((tx) => tx.users.remove({}))
      user = await db.transact(writeUser)
      expect(await db.read((tx) => tx.eventEffects.oldest())).toBeNull()
      const ids = [await asked(3), await asked(1), await asked(2)]
      const left = async () => (await Promise.all(ids.map(find))).map((found) => found !== null)
      const forget = (millis: number, limit: number) => db.transact((tx) => tx.eventEffects.forget(at(millis), limit))
      expect(await db.read((tx) => tx.eventEffects.oldest())).toEqual(at(1))
      expect(await forget(1, 10)).toBe(0)
      expect(await forget(3, 1)).toBe(1)
      expect(await left()).toEqual([true, false, true])
      expect(await forget(4, 10)).toBe(2)
      expect(await left()).toEqual([false, false, false])
    })

    it("commits with what it is about, or not at all", async () => {
      const id = await asked()
      const effects = someEffects(3)
      await db.attempt((tx) =>
        Effect.andThen(tx.eventEffects.keep([{ event_id: id, effects }]), Effect.fail("changed my mind")),
      )
      expect(await find(id)).toMatchObject({ effects: null })
    })
  })
