import type { TenantDb } from "@hearth/core"
import { type FeatureWork, makeBatchNotes } from "@hearth/core/background"
import type { NewEvent } from "@hearth/core/events"
import { Effect } from "effect"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { anEvent } from "../events/builders.ts"
import { aUser } from "../users/builders.ts"
import type { DatabaseUnderTest } from "./database-under-test.ts"

/** What a case says of an event. */
type GivenEvent = Pick<NewEvent, "event_name" | "occurred_at"> & Partial<Pick<NewEvent, "properties">>

/** A feature's reaction under test. */
export interface ReactionCase {
  readonly feature: string
  readonly work: FeatureWork<TenantDb>
  /** Writes what the reaction needs beside users. */
  readonly setUp?: (db: TenantDb) => Effect.Effect<void>
  /** The events of one user. */
  readonly event: fc.Arbitrary<GivenEvent>
  /** What the reaction keeps about a user, without ids and without what may depend on the order. */
  readonly read: (db: TenantDb, userId: string) => Effect.Effect<unknown>
}

/** A batch of one user's events, as a reaction is given it. */
type Batch = ReadonlyArray<NewEvent>

const handle = (work: FeatureWork<TenantDb>, batch: Batch) =>
  Effect.fnUntraced(function* (db: TenantDb) {
    yield* db.outbox.hold()
    const stored = batch.map((event) => ({ ...event, cause_key: null }))
    const notes = makeBatchNotes()
    for (const { react } of work.reactions ?? []) yield* react(db, stored, notes)
  })

/** What a reaction promises about order: a retried event is a late one, so the same events lead to the same state. */
export const reactionContract = (
  open: () => Promise<DatabaseUnderTest<TenantDb>>,
  { feature, work, setUp = () => Effect.void, event, read }: ReactionCase,
) =>
  describe(`reactions of ${feature}`, () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
      await db.transact(setUp)
    })

    /** What is kept about a new user whose events were handled in these batches. */
    const stateAfter = async (batches: ReadonlyArray<ReadonlyArray<GivenEvent>>) => {
      const user = aUser({ timezone: "America/Los_Angeles" })
      await db.transact((tx) => Effect.orDie(tx.users.insert(user)))
      for (const batch of batches) {
        const events = batch.map((given) => anEvent({ ...given, app_user_id: user.id }))
        await db.transact((tx) => tx.events.insert(events, { enqueue: false }))
        await db.transact(handle(work, events))
      }
      return db.read((tx) => read(tx, user.id))
    }

    it("lead to the same state in whatever order and batches the same events are handled", async () => {
      const anyEvents = fc.array(fc.record({ event, batch: fc.nat(3), rank: fc.nat() }), {
        minLength: 1,
        maxLength: 12,
      })
      await fc.assert(
        fc.asyncProperty(anyEvents, async (given) => {
          const inOrder = given.map((each) => each.event)
          inOrder.sort((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime())
          const shuffled = Map.groupBy(
            given.toSorted((a, b) => a.rank - b.rank),
            ({ batch }) => batch,
          )
          const batches = [...shuffled.values()].map((batch) => batch.map((each) => each.event))
          expect(await stateAfter(batches)).toEqual(await stateAfter([inOrder]))
        }),
        { numRuns: 20 },
      )
    })
  })
