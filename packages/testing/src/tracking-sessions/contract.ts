import type { TenantDb } from "@hearth/core"
import { type TrackingSessionRow, trackingSessionsSection } from "@hearth/core/tracking-sessions"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { awkwardJson, awkwardText } from "../contracts/awkward-values.ts"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { beginOn, isWaiting } from "../contracts/interleaving.harness.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aTrackingSession } from "./builders.ts"

const at = (minutes: number) => new Date(Date.UTC(2020, 2, 1) + minutes * 60_000)

/** What a project promises about its tracking sessions, beyond the table. */
export const trackingSessionsContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("tracking sessions", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const user = () => db.transact(writeUser)
    const insertNew = (row: TrackingSessionRow) => db.transact((tx) => tx.trackingSessions.insertNew(row))
    const lockDue = (now: Date, limit: number) => db.transact((tx) => tx.trackingSessions.lockDue(now, limit))
    const idsDue = async (now: Date, limit: number) => (await lockDue(now, limit)).map(({ id }) => id)
    const clear = () => db.transact((tx) => tx.trackingSessions.remove({}))

    it("are written once per user and session_id, and kept as they were written first [H5.1]", async () => {
      const app_user_id = await user()
      const first = aTrackingSession({ app_user_id, session_id: awkwardText, metadata: awkwardJson, platform: "ios" })
      expect(await insertNew(first)).toBe(true)
      expect(await insertNew(aTrackingSession({ app_user_id, session_id: awkwardText }))).toBe(false)
      expect(await insertNew(aTrackingSession({ app_user_id: await user(), session_id: awkwardText }))).toBe(true)
      expect(await db.read((tx) => tx.trackingSessions.list({ app_user_id }, []))).toStrictEqual([first])
    })

    it("are written by one of many at once, and read by all of them [H5.1]", async () => {
      const key = { app_user_id: await user(), session_id: "one" }
      const rows = Array.from({ length: 6 }, () => aTrackingSession(key))
      const answers = await Promise.all(
        rows.map((row) =>
          db.transact((tx) =>
            Effect.all([
              tx.trackingSessions.insertNew(row),
              Effect.map(tx.trackingSessions.find(key), Option.getOrNull),
            ]),
          ),
        ),
      )
      const written = rows.filter((_, index) => answers[index]?.[0])
      expect(written).toHaveLength(1)
      for (const [, found] of answers) expect(found).toStrictEqual(written[0])
    })

    it("are found and locked by their user and session_id", async () => {
      const [app_user_id, other] = [await user(), await user()]
      const row = aTrackingSession({ app_user_id })
      await insertNew(row)
      const lockOf = (userId: string, sessionId: string) =>
        db.transact((tx) => Effect.map(tx.trackingSessions.lockOf(userId, sessionId), Option.getOrNull))
      expect(await lockOf(app_user_id, row.session_id)).toStrictEqual(row)
      expect(await lockOf(other, row.session_id)).toBeNull()
      expect(await lockOf(app_user_id, "another")).toBeNull()
      const add = (tx: TenantDb) =>
        Effect.gen(function* () {
          const { id, duration_seconds } = Option.getOrThrow(
            yield* tx.trackingSessions.lockOf(app_user_id, row.session_id),
          )
          yield* Effect.orDie(tx.trackingSessions.update(id, { duration_seconds: duration_seconds + 1 }))
        })
      await Promise.all(Array.from({ length: 8 }, () => db.transact(add)))
      expect(await lockOf(app_user_id, row.session_id)).toMatchObject({ duration_seconds: 8 })
    })

    it("are due at their check_at while they are open, the earliest first", async () => {
      await clear()
      const app_user_id = await user()
      expect(await db.read((tx) => tx.trackingSessions.nextCheckAt())).toBeNull()
      const [later, due, ended, earliest] = [
        aTrackingSession({ app_user_id, check_at: at(31) }),
        aTrackingSession({ app_user_id, check_at: at(30) }),
        aTrackingSession({ app_user_id, check_at: at(1), ended_at: at(0) }),
        aTrackingSession({ app_user_id: await user(), check_at: at(10) }),
      ]
      for (const row of [later, due, ended, earliest]) await insertNew(row)
      expect(await db.read((tx) => tx.trackingSessions.nextCheckAt())).toEqual(at(10))
      expect(await idsDue(at(9), 10)).toEqual([])
      expect(await idsDue(at(30), 1)).toEqual([earliest.id])
      expect(await lockDue(at(30), 10)).toStrictEqual([due, earliest])
      expect(await idsDue(at(31), 10)).toEqual([later.id, due.id, earliest.id])
    })

    it("are written as they were checked, and nothing else of them", async () => {
      const app_user_id = await user()
      const [one, two] = [aTrackingSession({ app_user_id }), aTrackingSession({ app_user_id, platform: "ios" })]
      await insertNew(one)
      await insertNew(two)
      const ended = { ...one, ended_at: at(5), duration_seconds: 300, platform: "never", last_seen_at: at(9) }
      const goesOn = { ...two, check_at: at(77) }
      await db.transact((tx) => tx.trackingSessions.saveChecked([ended, goesOn]))
      await db.transact((tx) => tx.trackingSessions.saveChecked([]))
      const found = await db.read((tx) => tx.trackingSessions.list({ app_user_id }, []))
      expect(found).toStrictEqual([{ ...one, ended_at: at(5), duration_seconds: 300 }, goesOn])
    })

    it("that are due wait for who holds them, and leave out those that are not due any more", async () => {
      await clear()
      const row = aTrackingSession({ app_user_id: await user(), check_at: at(1) })
      await insertNew(row)
      const holder = beginOn(db)
      await holder.step((tx) => tx.trackingSessions.update(row.id, { check_at: at(60) }))
      const due = lockDue(at(1), 10)
      expect(await isWaiting(due)).toBe(true)
      await holder.commit()
      expect(await due).toEqual([])
    })

    it("that are due keep their user from being removed until the transaction ends", async () => {
      await clear()
      const row = aTrackingSession({ app_user_id: await user(), check_at: at(1) })
      await insertNew(row)
      const holder = beginOn(db)
      await holder.step((tx) => tx.trackingSessions.lockDue(at(1), 10))
      const removal = db.transact((tx) => tx.users.remove({ id: row.app_user_id }))
      expect(await isWaiting(removal)).toBe(true)
      await holder.commit()
      expect(await removal).toBe(1)
      expect(await db.read((tx) => tx.trackingSessions.list({}, []))).toEqual([])
    })
  })

const writeSection = Effect.fnUntraced(function* (db: TenantDb) {
  const app_user_id = yield* writeUser(db)
  const last_seen_at = at(7)
  const [ended, lapsed] = [
    aTrackingSession({ app_user_id, ended_at: at(3), platform: awkwardText, metadata: awkwardJson }),
    aTrackingSession({ app_user_id, started_at: at(0), last_seen_at }),
  ]
  // Far ahead of every clock: nobody waits for it in vain.
  const open = aTrackingSession({
    app_user_id,
    last_seen_at: new Date("2200-01-01T00:00:00.000Z"),
    duration_seconds: 1,
  })
  yield* Effect.forEach([ended, lapsed, open], db.trackingSessions.insert)
  return { userId: app_user_id, rows: [ended, { ...lapsed, ended_at: last_seen_at }, open] }
})

/** What a project promises about sessions in the file about a user: those that have lapsed have ended [H5.1]. */
export const trackingSessionsSectionContract = sectionContract(trackingSessionsSection, writeSection)
