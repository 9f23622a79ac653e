import { type ControlDb, Duplicate, type TenantDb } from "@hearth/core"
import type { DeepLinkSettings, LinkDomain, Platform, TrackedLink, TrackedLinkRow } from "@hearth/core/deep-links"
import { Effect, Option } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { anId, builtAt, makeId, nextNumber } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, instantsInOrder } from "../contracts/awkward-values.ts"
import { type DatabaseUnderTest, failureOf } from "../contracts/database-under-test.ts"
import { mostAtOnce } from "../contracts/interleaving.harness.ts"
import { type TableCase, tableContract } from "../contracts/table.contract.ts"
import { aProject } from "../projects/builders.ts"
import { writeUser } from "../users/tables.ts"

/** A link to the web. */
const aTrackedLink = (given: Partial<TrackedLinkRow> = {}): TrackedLinkRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    slug: `link-${n}`,
    destination_url: "https://example.com/a",
    metadata: {},
    created_at: new Date(builtAt),
    ...given,
  }
}

const links: TableCase<TenantDb, TrackedLinkRow> = {
  name: "tracked links",
  table: (db) => db.trackedLinks,
  row: (_, given) => Effect.sync(() => aTrackedLink(given)),
  samples: [
    { destination_url: awkwardText, metadata: awkwardJson, created_at: awkwardInstant },
    { slug: awkwardText, metadata: {} },
  ],
  unique: [["slug"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

/** The table of links. */
export const trackedLinksTable = (open: () => Promise<DatabaseUnderTest<TenantDb>>) => tableContract(open, links)

const at = new Date("2026-03-01T23:59:59.999Z")
const none = { ios: 0, android: 0, web: 0, unknown: 0 }

/** What a project promises about the clicks of its links. */
export const trackedLinksContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("clicks of links", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    const aLink = async (given: Partial<TrackedLinkRow> = {}) => {
      const link = aTrackedLink(given)
      await db.transact((tx) => Effect.orDie(tx.trackedLinks.insert(link)))
      return link
    }
    const click = (tracked_link_id: string, platform: Platform, app_user_id: string | null = null, when = at) =>
      db.read((tx) => tx.trackedLinks.addClick({ tracked_link_id, platform, app_user_id, at: when }))
    const stats = async (id: string) => Option.getOrNull(await db.read((tx) => tx.trackedLinks.stats(id)))
    const user = () => db.transact(writeUser)

    it("are summed up by day in UTC and platform, since a day [I8.4]", async () => {
      const [link, other] = [await aLink(), await aLink()]
      await click(link.id, "ios")
      await click(link.id, "ios")
      await click(link.id, "web", null, new Date(at.getTime() + 1))
      await click(other.id, "web")
      const since = (day: string, id = link.id) => db.read((tx) => tx.trackedLinks.daysSince(id, day))
      const [first, second] = [
        { day: "2026-03-01", ...none, ios: 2 },
        { day: "2026-03-02", ...none, web: 1 },
      ]
      expect(await since("2026-02-28")).toStrictEqual([first, second])
      expect(await since("2026-03-01")).toStrictEqual([first, second])
      expect(await since("2026-03-02")).toStrictEqual([second])
      expect(await since("2026-03-03")).toEqual([])
      expect(await since("2026-03-01", anId())).toEqual([])
      const found = (id: string) => db.read((tx) => tx.trackedLinks.findWithClicks(id))
      expect(Option.getOrNull(await found(link.id))).toStrictEqual({ ...link, click_count: 3 })
      expect(Option.isNone(await found(anId()))).toBe(true)
    })

    it("are summed up by platform over all days, and users counted once", async () => {
      const link = await aLink()
      expect(await stats(link.id)).toEqual({
        ...{ tracked_link_id: link.id, slug: link.slug, total_clicks: 0, unique_users: 0 },
        clicks_by_platform: none,
      })
      const [one, two] = [await user(), await user()]
      await click(link.id, "ios", one)
      await click(link.id, "ios", one, new Date(at.getTime() + 1))
      await click(link.id, "web", two)
      await click(link.id, "unknown")
      expect(await stats(link.id)).toMatchObject({
        ...{ total_clicks: 4, unique_users: 2 },
        clicks_by_platform: { ...none, ios: 2, web: 1, unknown: 1 },
      })
    })

    it("count for links that are there, and for users who are", async () => {
      const link = await aLink()
      await click(anId(), "ios")
      await click(link.id, "android", anId())
      expect(await stats(link.id)).toMatchObject({ total_clicks: 1, unique_users: 0 })
      expect(await stats(anId())).toBeNull()
    })

    it("are each counted, however many come at once", async () => {
      const [link, visitor] = [await aLink(), await user()]
      await Promise.all(Array.from({ length: 20 }, () => click(link.id, "web", visitor)))
      expect(await stats(link.id)).toMatchObject({ total_clicks: 20, unique_users: 1 })
    })

    it("go with their link, and users with themselves", async () => {
      const [link, visitor] = [await aLink(), await user()]
      await click(link.id, "web", visitor)
      await db.transact((tx) => tx.users.remove({ id: visitor }))
      expect(await stats(link.id)).toMatchObject({ total_clicks: 1, unique_users: 0 })
      await db.transact((tx) => tx.trackedLinks.remove({ id: link.id }))
      expect(await stats(link.id)).toBeNull()
    })

    it("are in the list, the newest link first", async () => {
      await db.transact((tx) => tx.trackedLinks.remove({}))
      const [old, young] = [
        await aLink({ created_at: new Date("2026-01-01T00:00:00Z") }),
        await aLink({ created_at: new Date("2026-01-02T00:00:00Z") }),
      ]
      await click(old.id, "ios")
      await click(old.id, "web")
      const page = (limit: number, offset: number) => db.read((tx) => tx.trackedLinks.pageWithClicks({ limit, offset }))
      const [first, second] = [
        { ...young, click_count: 0 },
        { ...old, click_count: 2 },
      ]
      expect(await page(10, 0)).toEqual({ rows: [first, second], total: 2 })
      expect(await page(1, 1)).toEqual({ rows: [second], total: 2 })
      expect(await page(1, 2)).toEqual({ rows: [], total: 2 })
      expect(await db.read((tx) => tx.trackedLinks.count())).toBe(2)
    })

    it("are in the list that goes on after a place, whatever is made or removed meanwhile", async () => {
      await db.transact((tx) => tx.trackedLinks.remove({}))
      for (const day of [1, 2, 2, 2, 3]) {
        const { id } = await aLink({ created_at: new Date(Date.UTC(2026, 0, day)) })
        await click(id, "ios")
      }
      const { rows } = await db.read((tx) => tx.trackedLinks.pageWithClicks({ limit: 9, offset: 0 }))
      const [newest, second, third] = rows as [TrackedLink, TrackedLink, TrackedLink]
      const readOn = async ({ created_at, id }: TrackedLink, offset = 0) =>
        (await db.read((tx) => tx.trackedLinks.listWithClicksAfter({ at: created_at, id }, { limit: 2, offset }))).rows
      expect(await readOn(newest)).toStrictEqual(rows.slice(1, 3))
      expect(await readOn(newest, 2)).toStrictEqual(rows.slice(3))
      await aLink({ created_at: new Date(Date.UTC(2026, 0, 9)) })
      for (const { id } of [second, third]) await db.transact((tx) => tx.trackedLinks.remove({ id }))
      expect(await readOn(second)).toStrictEqual(rows.slice(3))
    })

    it("have links that are made one after the other where that is asked for [I0.2]", async () => {
      expect(await mostAtOnce(db, 4, (tx) => tx.trackedLinks.lockCreation())).toBe(1)
    })
  })

const noSettings: DeepLinkSettings = {
  ...{ url_scheme: null, android_package_name: null, ios_bundle_id: null, fallback_url: null },
  ...{ ios_team_id: null, android_sha256_fingerprints: null, updated_at: new Date(builtAt) },
}

/** What a project promises about the settings of its links. */
export const deepLinkConfigContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("settings of links", () => {
    it("are there once they were saved, whole, and then the last ones", async () => {
      const db = await open()
      const found = async () => Option.getOrNull(await db.read((tx) => tx.deepLinkConfigs.find()))
      expect(await found()).toBeNull()
      const settings: DeepLinkSettings = {
        url_scheme: awkwardText,
        android_package_name: awkwardText,
        ios_bundle_id: null,
        fallback_url: "https://example.com",
        ios_team_id: "A1B2C3D4E5",
        android_sha256_fingerprints: ["AA:BB", awkwardText],
        updated_at: awkwardInstant,
      }
      await db.transact((tx) => tx.deepLinkConfigs.save(settings))
      expect(await found()).toStrictEqual(settings)
      const cleared = { ...settings, url_scheme: null, android_sha256_fingerprints: null }
      await db.transact((tx) => tx.deepLinkConfigs.save(cleared))
      expect(await db.transact((tx) => tx.deepLinkConfigs.lock())).toStrictEqual(Option.some(cleared))
    })

    it("are changed one after the other, also the first time, so that no change is lost", async () => {
      const db = await open()
      const setOne = (given: Partial<DeepLinkSettings>) => (tx: TenantDb) =>
        Effect.flatMap(tx.deepLinkConfigs.lock(), (found) =>
          tx.deepLinkConfigs.save({ ...Option.getOrElse(found, () => noSettings), ...given }),
        )
      const changes: ReadonlyArray<Partial<DeepLinkSettings>> = [{ url_scheme: "myapp" }, { ios_team_id: "A1B2C3D4E5" }]
      await mostAtOnce(db, 2, (tx, turn) => setOne(changes[turn] ?? {})(tx))
      const found = await db.read((tx) => tx.deepLinkConfigs.find())
      expect(Option.getOrNull(found)).toMatchObject({ url_scheme: "myapp", ios_team_id: "A1B2C3D4E5" })
    })
  })

/** What the control database promises about the domains of links. */
export const linkDomainsContract = (open: () => Promise<DatabaseUnderTest<ControlDb>>) =>
  describe("domains of links", () => {
    it("are one project's each, and go with it", async () => {
      const db = await open()
      const [one, two] = [aProject(), aProject()]
      await db.transact((tx) => Effect.orDie(Effect.andThen(tx.projects.insert(one), tx.projects.insert(two))))
      const domain = `${anId()}.example`
      const claim = (row: LinkDomain) => db.attempt((tx) => tx.linkDomains.insert(row))
      expect((await claim({ id: one.id, domain }))._tag).toBe("Success")
      expect(failureOf(await claim({ id: two.id, domain }))).toEqual(new Duplicate({ key: ["domain"] }))
      expect(failureOf(await claim({ id: one.id, domain: `other.${domain}` }))).toEqual(new Duplicate({ key: ["id"] }))
      await db.transact((tx) => tx.projects.remove({ id: one.id }))
      expect((await claim({ id: two.id, domain }))._tag).toBe("Success")
    })
  })
