import type { TenantDb } from "@hearth/core"
import type { EventsWritten, NewEvent, WritingPlane } from "@hearth/core/events"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { drainOutbox } from "../background/outbox-fixtures.ts"
import { anId } from "../builders.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { aUser } from "../users/builders.ts"
import { anEvent } from "./builders.ts"

interface Call {
  readonly plane: WritingPlane
  readonly event: NewEvent
}

/** What calls with the same key are answered all in all, whichever of them comes first. */
type Outcomes = Readonly<Record<string, Readonly<Record<string, number>>>>

/** What a project promises about single events of many callers at once: the same as if they came one after the other. */
export const singleEventsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("single events at once", () => {
    let db: DatabaseUnderTest<TenantDb>
    const known: Array<string> = []
    beforeAll(async () => {
      db = await open()
      for (let count = 0; count < 3; count += 1) {
        const row = aUser()
        await db.transact((tx) => Effect.orDie(tx.users.insert(row)))
        known.push(row.id)
      }
    })

    const write = ({ event, plane }: Call) => db.read((tx) => tx.events.insert([event], { enqueue: true, plane }))

    /** Numbers that look like chance, the same in every run. */
    const numbersFrom = (seed: number) => {
      let state = seed
      return (below: number) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        return Math.floor((state / 2_147_483_648) * below)
      }
    }
    /** Calls of both planes, some for the same key, some for users who are not there. */
    const callsFrom = (seed: number, run: string): ReadonlyArray<Call> => {
      const next = numbersFrom(seed)
      return Array.from({ length: 80 }, () => {
        const app_user_id = next(6) === 0 ? anId() : (known[next(known.length)] as string)
        const external_id = next(3) === 0 ? null : `${run}/${next(12)}`
        return { plane: next(2) === 0 ? "admin" : "client", event: anEvent({ app_user_id, external_id }) }
      })
    }
    const keyOf = ({ plane, event: { app_user_id, external_id } }: Call) => {
      if (!known.includes(app_user_id)) return "unknown user"
      const name = external_id?.split("/")[1] ?? "none"
      return plane === "admin" ? `admin ${name}` : `client ${known.indexOf(app_user_id)} ${name}`
    }
    const describeWritten = (written: EventsWritten, { event }: Call) => {
      if ("unknown_users" in written) return `unknown ${written.unknown_users.join()}`
      return written.inserted.length === 0 ? "skipped" : written.inserted[0] === event.id ? "inserted" : "another's"
    }
    const outcomesOf = (calls: ReadonlyArray<Call>, answers: ReadonlyArray<EventsWritten>): Outcomes => {
      const outcomes: Record<string, Record<string, number>> = {}
      for (const [at, call] of calls.entries()) {
        outcomes[keyOf(call)] ??= {}
        const ofKey = outcomes[keyOf(call)] as Record<string, number>
        const outcome = describeWritten(answers[at] as EventsWritten, call)
        ofKey[outcome] = (ofKey[outcome] ?? 0) + 1
      }
      return outcomes
    }

    it.each([1, 2, 3, 4, 5, 6])("are answered as if they came one by one (%i)", async (seed) => {
      await db.transact(drainOutbox)
      const [oneByOne, atOnce] = [callsFrom(seed, anId()), callsFrom(seed, anId())]
      const expected: Array<EventsWritten> = []
      for (const call of oneByOne) expected.push(await write(call))
      await db.transact(drainOutbox)
      const answers = await Promise.all(atOnce.map(write))
      expect(outcomesOf(atOnce, answers)).toEqual(outcomesOf(oneByOne, expected))
      const inserted = answers.flatMap((written) => ("inserted" in written ? written.inserted : []))
      const drained = await db.transact(drainOutbox)
      expect(drained.map(({ id }) => id).sort()).toEqual([...inserted].sort())
      const again = atOnce.map((call) => ({ ...call, event: { ...call.event, id: anId() } }))
      const repeated = await Promise.all(again.filter(({ event }) => event.external_id !== null).map(write))
      expect(repeated.every((written) => "unknown_users" in written || written.inserted.length === 0)).toBe(true)
    })

    it("keep every column", async () => {
      await db.transact(drainOutbox)
      const [app_user_id] = known as [string]
      const events = Array.from({ length: 30 }, (_, at) =>
        anEvent({
          app_user_id,
          properties: { at, text: '"} \\ é \u2028', nested: [{ a: null }] },
          external_id: anId(),
        }),
      )
      await Promise.all(events.map((event) => write({ event, plane: "client" })))
      const seen = new Map((await db.transact(drainOutbox)).map((event) => [event.id, event]))
      for (const { external_id: _, ...event } of events) expect(seen.get(event.id)).toStrictEqual(event)
    })
  })
