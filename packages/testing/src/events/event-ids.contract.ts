import type { TenantDb } from "@hearth/core"
import { appEventKey, type EventsWritten, type NewEvent, type WritingPlane } from "@hearth/core/events"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { drainOutbox } from "../background/outbox-fixtures.ts"
import { anId } from "../builders.ts"
import { type DatabaseUnderTest, died } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { anEvent } from "./builders.ts"

/** What a project promises about the ids that callers give to events [G0.3]. */
export const eventIdsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("ids of events [G0.3]", () => {
    let db: DatabaseUnderTest<TenantDb>
    let [one, other] = ["", ""]
    beforeAll(async () => {
      db = await open()
      ;[one, other] = [await aWrittenUser(), await aWrittenUser()]
    })

    const aWrittenUser = async () => {
      const row = aUser()
      await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
      return row.id
    }
    const count = (written: EventsWritten) => ("inserted" in written ? written.inserted.length : written)
    const write = async (plane: WritingPlane, events: ReadonlyArray<NewEvent>, enqueue = true) =>
      count(await db.read((tx) => tx.events.insert(events, { enqueue, plane })))
    const event = (app_user_id: string, external_id: string | null) => anEvent({ app_user_id, external_id })
    const several = (...events: ReadonlyArray<NewEvent>) => [...events, event(other, null), event(other, null)]

    it.each([true, false])("of apps are unique per user (queued: %s)", async (enqueue) => {
      const id = anId()
      expect(await write("client", [event(one, id)], enqueue)).toBe(1)
      expect(await write("client", [event(one, id)], enqueue)).toBe(0)
      expect(await write("client", several(event(one, id), event(one, id)), enqueue)).toBe(2)
      expect(await write("client", [event(other, id)], enqueue)).toBe(1)
      expect(await write("client", several(event(other, id)), enqueue)).toBe(2)
      expect(await write("client", [event(one, null)], enqueue)).toBe(1)
      const third = anId()
      expect(await write("client", several(event(one, third), event(one, third)), enqueue)).toBe(3)
    })

    it("of developers are unique per project", async () => {
      const id = anId()
      expect(await write("admin", [event(one, id)])).toBe(1)
      expect(await write("admin", [event(other, id)])).toBe(0)
      expect(await write("admin", several(event(other, id)))).toBe(2)
    })

    it("of the planes never meet", async () => {
      const [first, second] = [anId(), anId()]
      expect(await write("admin", [event(one, first)])).toBe(1)
      expect(await write("client", [event(one, first)])).toBe(1)
      expect(await write("client", several(event(one, first)))).toBe(2)
      expect(await write("client", [event(one, second)])).toBe(1)
      expect(await write("admin", [event(one, second)])).toBe(1)
      // Also where a developer's service takes the very key of an app's event.
      expect(await write("admin", [event(one, appEventKey(one, second))])).toBe(1)
    })

    it("never meet the causes of the platform's events", async () => {
      const cause_key = `streaks/${anId()}/done`
      const caused = { ...event(one, null), cause_key }
      await db.read((tx) => tx.events.insertCaused([caused]))
      expect(await db.read((tx) => tx.events.listByIds([caused.id], { properties: false }))).toHaveLength(1)
      expect(await write("client", [event(one, cause_key)])).toBe(1)
      expect(await write("admin", [event(one, cause_key)])).toBe(1)
    })

    it("fail the transaction that takes an event for new", async () => {
      const fails = async (plane: WritingPlane, written: NewEvent) => {
        const beside = event(other, null)
        const attempt = await db.attempt((tx) =>
          Effect.andThen(tx.events.insertNew(written, plane), tx.events.insertNew(beside, plane)),
        )
        const kept = await db.read((tx) => tx.events.listByIds([beside.id], { properties: false }))
        expect(kept).toHaveLength(died(attempt) ? 0 : 1)
        return died(attempt)
      }
      await db.transact(drainOutbox)
      for (const plane of ["admin", "client"] as const) {
        const id = anId()
        const first = event(one, id)
        expect(await fails(plane, first)).toBe(false)
        expect(await db.read((tx) => tx.events.listByIds([first.id], { properties: false }))).toHaveLength(1)
        expect(await fails(plane, event(one, id))).toBe(true)
        expect(await fails(plane, event(one, null))).toBe(false)
        expect(await fails(plane, event(anId(), null))).toBe(true)
        expect(await write(plane, [event(one, id)])).toBe(0)
      }
      // Whoever writes it handles it.
      expect(await db.transact(drainOutbox)).toEqual([])
    })

    it("of apps are written once when several calls write them at the same time, in any order", async () => {
      await db.transact(drainOutbox)
      const names = Array.from({ length: 40 }, () => anId())
      const calls = Array.from({ length: 6 }, (_, turn) => {
        const batch = names.map((name) => event(one, name))
        return turn % 2 === 0 ? batch : batch.reverse()
      })
      const written = await Promise.all(calls.map((batch) => write("client", batch)))
      expect(written.reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0)).toBe(40)
      expect(await db.transact(drainOutbox)).toHaveLength(40)
    })
  })
