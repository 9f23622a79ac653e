import type { News, TenantDb, Tenants } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { aUser } from "../users/builders.ts"
import { tenantDatabase } from "./database-under-test.ts"

/** One process of an installation: what it hears, and what it commits. */
export interface NewsProcess {
  readonly news: News
  readonly tenants: Tenants<TenantDb>
}

/** Two processes of one installation. `project` makes another project with its database and answers its id. */
export interface NewsHarness {
  readonly processes: readonly [NewsProcess, NewsProcess]
  readonly project: () => Promise<string>
  readonly close: () => Promise<void>
}

/** What every `News` promises. */
export const newsContract = (name: string, make: () => Promise<NewsHarness>) =>
  describe(`news: ${name}`, () => {
    let harness: NewsHarness
    let projectId: string
    let [one, other] = [] as unknown as NewsHarness["processes"]
    beforeAll(async () => {
      harness = await make()
      ;[one, other] = harness.processes
    })
    beforeEach(async () => {
      projectId = await harness.project()
    })
    afterAll(() => harness?.close())

    const commit = async ({ tenants }: NewsProcess, id = projectId): Promise<string> => {
      const user = aUser()
      await tenantDatabase(tenants, id).transact((db) => db.users.insert(user))
      return user.id
    }
    const watch = (news: News, id = projectId) => {
      let woken = 0
      const end = news.watch(id, () => {
        woken += 1
      })
      return { end, woken: () => woken, isWoken: () => woken > 0 }
    }

    it("wakes after every commit of its own process", async () => {
      const listener = watch(one.news)
      for (const _ of [1, 2, 3]) {
        const before = listener.woken()
        await commit(one)
        await expect.poll(listener.woken).toBeGreaterThan(before)
      }
      listener.end()
    })

    it("wakes soon after a commit of another process", async () => {
      const listener = watch(other.news)
      // News are no certainty: that somebody listens here may not be known there yet.
      const isHeard = async () => {
        await commit(one)
        return listener.isWoken()
      }
      await expect.poll(isHeard).toBe(true)
      listener.end()
    })

    it("wakes when what was committed can be read", async () => {
      const database = tenantDatabase(one.tenants, projectId)
      const reads: Array<Promise<ReadonlyArray<string>>> = []
      const findIds = () =>
        database.read((db) => Effect.map(db.users.list({}, []), (users) => users.map(({ id }) => id)))
      const end = one.news.watch(projectId, () => void reads.push(findIds()))
      const id = await commit(one)
      await expect.poll(() => reads.length).toBeGreaterThan(0)
      expect(await reads.at(-1)).toContain(id)
      end()
    })

    it("wakes everybody who listens to the project, and nobody who listens to another", async () => {
      const strangers = watch(one.news, await harness.project())
      const listeners = [watch(one.news), watch(one.news)]
      await commit(one)
      await expect.poll(() => listeners.every(({ isWoken }) => isWoken())).toBe(true)
      expect(strangers.woken()).toBe(0)
      for (const { end } of [strangers, ...listeners]) end()
    })

    it("acts at once: who has ended it is not woken once more, others are", async () => {
      const [ended, witness] = [watch(one.news), watch(one.news)]
      const committed = commit(one)
      ended.end()
      const before = ended.woken()
      await committed
      await expect.poll(witness.isWoken).toBe(true)
      expect(ended.woken()).toBe(before)
      witness.end()
    })

    it("takes each call for one of its own, also with the same wake", async () => {
      let woken = 0
      const wake = () => {
        woken += 1
      }
      const [end, endOther] = [one.news.watch(projectId, wake), one.news.watch(projectId, wake)]
      await commit(one)
      await expect.poll(() => woken).toBeGreaterThanOrEqual(2)
      end()
      const before = woken
      await commit(one)
      await expect.poll(() => woken).toBeGreaterThan(before)
      endOther()
    })

    it("can be ended twice, which ends no other", async () => {
      const earlier = watch(one.news)
      earlier.end()
      const later = watch(one.news)
      earlier.end()
      await commit(one)
      await expect.poll(later.isWoken).toBe(true)
      expect(earlier.woken()).toBe(0)
      later.end()
    })

    it("lets a wake watch and end", async () => {
      let began = 0
      const again = () => {
        end()
        began += 1
        // As many as a loop would make.
        if (began < 100) end = one.news.watch(projectId, again)
      }
      let end = one.news.watch(projectId, again)
      const witness = watch(one.news)
      await commit(one)
      await expect.poll(witness.isWoken).toBe(true)
      expect(began).toBeGreaterThan(0)
      expect(began).toBeLessThan(100)
      end()
      witness.end()
    })

    it("does not wake who was ended by the wake of another", async () => {
      let woken = 0
      const wake = () => {
        woken += 1
        for (const end of ends) end()
      }
      const ends = [one.news.watch(projectId, wake), one.news.watch(projectId, wake)]
      const witness = watch(one.news)
      await commit(one)
      await expect.poll(witness.isWoken).toBe(true)
      expect(woken).toBe(1)
      witness.end()
    })

    it("takes an id in capitals for the same", async () => {
      const listeners = [watch(one.news, projectId.toUpperCase()), watch(one.news)]
      await commit(one, projectId.toUpperCase())
      await expect.poll(() => listeners.every(({ isWoken }) => isWoken())).toBe(true)
      for (const { end } of listeners) end()
    })
  })
