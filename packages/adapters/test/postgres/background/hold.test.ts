import type { TenantDb, Tenants } from "@hearth/core"
import { type FeatureWork, makeDispatcher } from "@hearth/core/background"
import { aStreakDefinition } from "@hearth/testing"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { systemClock, systemIds } from "../../../src/system/index.ts"
import { openNode, type TestNode } from "../nodes.ts"
import { type TestServer, testServer } from "../server.ts"

const { id: _id, created_at: _createdAt, ...daily } = aStreakDefinition({ qualifying_event: "lesson" })
const day = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()
const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

describe("the hold of a project", () => {
  let server: TestServer
  /** Holds projects, and acts while nobody watches. */
  let other: TestNode
  /** Every transaction of this process begins while `other` has the hold, and waits for it or not. */
  let node: TestNode
  let watched: Tenants<TenantDb>
  let projectId: string
  let userId: string
  let streakId: string
  const waits: Array<boolean> = []
  let isWatching = false

  beforeAll(async () => {
    server = testServer()
    other = await openNode(server)
    node = await openNode(server, {
      wrap: (tenants) => {
        watched = {
          ...tenants,
          transact: (id, work, options) => beginWhileHeld(id, tenants.transact(id, work, options)),
        }
        return watched
      },
    })
    const { developer } = await run(
      other.core.developers.signup({ email: "dev@example.com", password: "correct horse" }),
    )
    owner = developer.id
  })
  let owner: string
  afterAll(() => server.close())

  beforeEach(async () => {
    const settings = { name: "Hold", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
    projectId = (await run(other.core.projects.create(owner, settings))).id
    userId = (await run(other.core.auth.anonymous(projectId))).user.id
    streakId = (await run(other.core.streaks.create(projectId, { ...daily, freeze_enabled: true, max_freezes: 5 }))).id
    waits.length = 0
  })
  afterEach(() => {
    isWatching = false
  })

  /** Takes the hold of the project. The result lets go of it. */
  const takeHold = async () => {
    const taken = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const held = run(
      other.tenants.transact(projectId, (db) =>
        Effect.andThen(
          db.outbox.hold(),
          Effect.promise(() => {
            taken.resolve()
            return gate.promise
          }),
        ),
      ),
    )
    await taken.promise
    return async () => {
      gate.resolve()
      await held
    }
  }

  const beginWhileHeld = <A, E>(id: string, transaction: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    if (!isWatching || id !== projectId) return transaction
    return Effect.flatten(
      Effect.promise(async () => {
        const letGo = await takeHold()
        let isOver = false
        const ending = Effect.runPromiseExit(transaction).finally(() => {
          isOver = true
        })
        const isWaiting = async () => isOver || (await server.waiting(server.databaseOf(projectId))) > 0
        await expect.poll(isWaiting, { interval: 5 }).toBe(true)
        waits.push(!isOver)
        await letGo()
        return await ending
      }),
    )
  }

  /** Which of the transactions of `work` waited for the hold, in their order. */
  const watch = async (work: Effect.Effect<unknown, unknown>) => {
    isWatching = true
    await run(work)
    isWatching = false
    return waits
  }

  const record = (...days: ReadonlyArray<number>) => {
    const events = days.map((ago) => ({ event_name: "lesson", occurred_at: daysAgo(ago) }))
    return run(other.core.events.recordOwn(projectId, userId, { events }))
  }
  const process = ({ core }: TestNode) => core.background.process(projectId)
  const own = async () => (await run(other.core.streaks.own(projectId, userId)))[0]
  /** Makes the reaction fail with a fault of the data, or lets it work again. */
  const breakReaction = (isBroken: boolean) =>
    server.rows(
      server.databaseOf(projectId),
      isBroken
        ? `create or replace function broken() returns trigger language plpgsql as $$
             begin raise exception using errcode = '22000'; end $$;
           create trigger broken before insert on user_streaks for each row execute function broken()`
        : "drop trigger broken on user_streaks",
    )

  it("is taken for every batch", async () => {
    await record(1, 0)
    // That nothing is left is seen without it.
    expect(await watch(process(node))).toEqual([true])
    expect(await own()).toMatchObject({ current_count: 2 })
  })

  it("is taken for every piece of expiring streaks", async () => {
    await record(0)
    await run(process(other))
    await server.rows(server.databaseOf(projectId), "update user_streaks set expires_at = now() - interval '1 second'")
    expect(await watch(process(node))).toEqual([true])
  })

  it("is taken for expiring streaks before a segment is evaluated", async () => {
    await record(0)
    await run(process(other))
    expect(await watch(node.core.background.evaluation.expireStreaks(projectId))).toEqual([true])
  })

  it("is taken to set an event aside and for its try, and not to note that it failed", async () => {
    await record(0)
    await breakReaction(true)
    // The batch, the event alone, setting aside, counting a try, the try, its failure.
    expect(await watch(process(node))).toEqual([true, true, true, true, true, false])
    const { rows } = await run(other.core.deadLetters.list(projectId, { limit: 10, offset: 0 }))
    expect(rows).toMatchObject([{ reaction: "streaks", tries: 1, status: "retrying" }])
  })

  it("is taken for a later try that succeeds", async () => {
    await record(0)
    await breakReaction(true)
    await run(process(other))
    await breakReaction(false)
    await run(other.core.deadLetters.retryAll(projectId, {}))
    // Counting the try, the try.
    expect(await watch(process(node))).toEqual([true, true])
    expect(await own()).toMatchObject({ current_count: 1 })
  })

  it("is taken for a qualify, which counts what a batch has just counted", async () => {
    await record(1)
    const qualify = node.core.streaks.qualify(projectId, userId, streakId, {})
    expect(await watch(qualify)).toEqual([true])
    await run(process(other))
    expect(await own()).toMatchObject({ current_count: 2 })
  })

  it("is taken for a grant", async () => {
    await record(0)
    await run(process(other))
    expect(await watch(node.core.streaks.grantShield(projectId, userId, streakId, 1))).toEqual([true])
  })

  it("is taken for a change of the rules, and not for one of the name", async () => {
    expect(await watch(node.core.streaks.update(projectId, streakId, { max_freezes: 3 }))).toEqual([true])
    expect(await watch(node.core.streaks.update(projectId, streakId, { name: "Other" }))).toEqual([true, false])
  })

  it("is taken to introduce a reaction, so that two workers introduce it once", async () => {
    const work: FeatureWork<TenantDb> = {
      reactions: [{ name: "badges", rebuild: "badges.rebuild", react: () => Effect.succeed([]) }],
      handlers: { "badges.rebuild": () => Effect.succeed(null) },
    }
    const { control } = await server.open()
    const ports = { clock: systemClock, control, ids: systemIds(systemClock), signals: node.signals, tenants: watched }
    const workflows = { start: () => Effect.void } as never
    const dispatcher = makeDispatcher<TenantDb>({ ...ports, workflows }, [work])
    // Workers of other tests were seen a moment ago, and lack the reaction.
    await server.rows(server.controlDatabase, "delete from workers")
    await run(dispatcher.pollDue())
    await server.rows(server.databaseOf(projectId), "truncate introduced_reactions")
    // The introduction, its rebuild.
    expect(await watch(dispatcher.process(projectId))).toEqual([true, true])
  })
})

describe("a batch that has not committed yet", () => {
  let server: TestServer
  let node: TestNode
  /** A process whose next transaction stops before its commit. */
  let slow: TestNode
  let stopAt: { readonly reached: () => void; readonly gate: Promise<void> } | null = null

  beforeAll(async () => {
    server = testServer()
    node = await openNode(server)
    slow = await openNode(server, {
      wrap: (tenants) => ({
        ...tenants,
        transact: (id, work) =>
          tenants.transact(id, (db) =>
            Effect.tap(work(db), () =>
              Effect.promise(async () => {
                const stop = stopAt
                stopAt = null
                stop?.reached()
                await stop?.gate
              }),
            ),
          ),
      }),
    })
  })
  afterAll(() => server.close())

  /** A user with an event of yesterday in a batch that stops before its commit, and the streak of it. */
  const uncommitted = async () => {
    const email = `${crypto.randomUUID()}@example.com`
    const { developer } = await run(node.core.developers.signup({ email, password: "correct horse" }))
    const settings = { name: "Batch", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
    const { id: projectId } = await run(node.core.projects.create(developer.id, settings))
    const userId = (await run(node.core.auth.anonymous(projectId))).user.id
    const rules = { ...daily, freeze_enabled: true, max_freezes: 5, freezes_per_n_events: 5 }
    const streakId = (await run(node.core.streaks.create(projectId, rules))).id
    await run(node.core.events.recordOwn(projectId, userId, { event_name: "lesson", occurred_at: daysAgo(1) }))
    const reached = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    stopAt = { reached: reached.resolve, gate: gate.promise }
    const batch = run(slow.core.background.process(projectId))
    await reached.promise
    const during = async <A>(work: Effect.Effect<A, unknown>): Promise<A> => {
      const done = run(work)
      let isOver = false
      void done.catch(() => {}).finally(() => (isOver = true))
      const isWaiting = async () => isOver || (await server.waiting(server.databaseOf(projectId))) > 0
      await expect.poll(isWaiting).toBe(true)
      gate.resolve()
      await batch
      return await done
    }
    return { projectId, userId, streakId, during }
  }

  it("is waited for by a qualify, which goes on from there", async () => {
    const { projectId, userId, streakId, during } = await uncommitted()
    const qualified = await during(node.core.streaks.qualify(projectId, userId, streakId, {}))
    expect(qualified).toMatchObject({ current_count: 2 })
  })

  it("is waited for by a grant, which finds the streak", async () => {
    const { projectId, userId, streakId, during } = await uncommitted()
    const granted = await during(node.core.streaks.grantShield(projectId, userId, streakId, 2))
    expect(granted).toMatchObject({ current_count: 1, freezes_remaining: 2 })
  })
})
