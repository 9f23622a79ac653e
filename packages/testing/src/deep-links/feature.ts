import { Count, Day, Text, Timestamp, Uuid } from "@hearth/core"
import {
  type DeepLinkConfigs,
  DeepLinkSettings,
  type DeepLinksControlDb,
  type DeepLinksDb,
  LinkDomain,
  Platform,
  TrackedLinkRow,
  type TrackedLinks,
} from "@hearth/core/deep-links"
import { Effect, Option, Schema } from "effect"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import { day, fields, instant, orNull, place, slice, uuid } from "../memory/arguments.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sliceAfter, sorted } from "../memory/table.ts"
import { projectShape } from "../projects/memory.ts"
import { userShape } from "../users/memory-shapes.ts"

const linkShape = describeTable("tracked links", TrackedLinkRow, { unique: [["slug"]] })
const configShape = describeTable("deep link config", Schema.Struct({ id: Text, ...DeepLinkSettings.fields }))
const clicksShape = describeTable(
  "tracked link clicks",
  Schema.Struct({ id: Text, tracked_link_id: Uuid, day: Day, platform: Platform, clicks: Count }),
  { parents: { tracked_link_id: "tracked links" } },
)
const linkUserShape = describeTable(
  "tracked link users",
  Schema.Struct({ id: Text, tracked_link_id: Uuid, app_user_id: Uuid, first_clicked_at: Timestamp }),
  { parents: { tracked_link_id: "tracked links", app_user_id: "users" } },
)
const domainShape = describeTable("link domains", LinkDomain, {
  unique: [["domain"]],
  parents: { id: projectShape.name },
})

const onlyRow = "1"

const memoryConfigs = (statements: Statements): DeepLinkConfigs => {
  const find = () =>
    Effect.map(
      statements.query((draft) => {
        const row = rowsOf(draft, configShape).get(onlyRow)
        if (row === undefined) return undefined
        const { id: _, ...settings } = row
        return settings
      }),
      Option.fromUndefinedOr,
    )
  return {
    find,
    lock: () =>
      Effect.andThen(
        statements.change((draft) => draft.lock("deep link config", "update")),
        Effect.suspend(find),
      ),
    save: (settings) =>
      statements.change((draft) => {
        const present = rowsOf(draft, configShape).get(onlyRow)
        if (present === undefined) insertRow(draft, configShape, { ...settings, id: onlyRow })
        else replaceRow(draft, configShape, present, { ...settings, id: onlyRow })
      }),
  }
}

const sumOf = (clicks: ReadonlyArray<{ readonly clicks: number }>) =>
  clicks.reduce((sum, { clicks }) => sum + clicks, 0)

const sumsByPlatform = (clicks: ReadonlyArray<{ readonly clicks: number; readonly platform: Platform }>) => {
  const on = (platform: Platform) => sumOf(clicks.filter((each) => each.platform === platform))
  return { ios: on("ios"), android: on("android"), web: on("web"), unknown: on("unknown") }
}

const userOf = (draft: Draft, id: string) => select(draft, userShape, { id })

const clicksOf = (draft: Draft, tracked_link_id: string) => select(draft, clicksShape, { tracked_link_id })

const withClicks = (draft: Draft, link: TrackedLinkRow) => ({
  ...link,
  click_count: sumOf(clicksOf(draft, link.id)),
})

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

const memoryTrackedLinks = (statements: Statements): TrackedLinks => ({
  ...memoryTable(statements, linkShape),
  count: () => statements.query((draft) => select(draft, linkShape, {}).length),
  lockCreation: () => statements.change((draft) => draft.lock("creation of tracked links", "update")),
  pageWithClicks: (slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(sorted(linkShape, select(draft, linkShape, {}), newestFirst), slice)
      return { rows: rows.map((link) => withClicks(draft, link)), total }
    }),
  listWithClicksAfter: ({ at, id }, slice) =>
    statements.query((draft) => {
      const place = { created_at: at, id }
      const links = sliceAfter(linkShape, select(draft, linkShape, {}), newestFirst, place, slice)
      return { rows: links.map((link) => withClicks(draft, link)) }
    }),
  addClick: ({ tracked_link_id, platform, app_user_id, at }) =>
    statements.change((draft) => {
      const [user] = app_user_id === null ? [] : lockRows(draft, userShape, userOf(draft, app_user_id), "key share")
      const [link] = lockRows(draft, linkShape, select(draft, linkShape, { id: tracked_link_id }), "key share")
      if (link === undefined) return
      const day = at.toISOString().slice(0, 10)
      const id = `${link.id}/${day}/${platform}`
      const present = rowsOf(draft, clicksShape).get(id)
      if (present === undefined) insertRow(draft, clicksShape, { id, tracked_link_id, day, platform, clicks: 1 })
      else replaceRow(draft, clicksShape, present, { ...present, clicks: present.clicks + 1 })
      const visit = `${link.id}/${user?.id}`
      if (user === undefined || rowsOf(draft, linkUserShape).get(visit) !== undefined) return
      insertRow(draft, linkUserShape, { id: visit, tracked_link_id, app_user_id: user.id, first_clicked_at: at })
    }),
  findWithClicks: (id) =>
    Effect.map(
      statements.query((draft) => {
        const [link] = select(draft, linkShape, { id })
        return link === undefined ? undefined : { ...link, click_count: sumOf(clicksOf(draft, link.id)) }
      }),
      Option.fromUndefinedOr,
    ),
  daysSince: (id, since) =>
    statements.query((draft) => {
      const byDay = Map.groupBy(
        clicksOf(draft, id).filter(({ day }) => day >= since),
        ({ day }) => day,
      )
      return [...byDay]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([day, clicks]) => ({ day, ...sumsByPlatform(clicks) }))
    }),
  stats: (id) =>
    Effect.map(
      statements.query((draft) => {
        const [link] = select(draft, linkShape, { id })
        if (link === undefined) return undefined
        const clicks = clicksOf(draft, link.id)
        return {
          tracked_link_id: link.id,
          slug: link.slug,
          total_clicks: sumOf(clicks),
          unique_users: select(draft, linkUserShape, { tracked_link_id: link.id }).length,
          clicks_by_platform: sumsByPlatform(clicks),
        }
      }),
      Option.fromUndefinedOr,
    ),
})

/** What there is in tests of deep links. */
export const deepLinksFeature: TenantFeature<DeepLinksDb> & ControlFeature<DeepLinksControlDb> = {
  tenant: {
    shapes: [configShape, linkShape, clicksShape, linkUserShape],
    rules: {
      trackedLinks: {
        pageWithClicks: [slice],
        listWithClicksAfter: [place, slice],
        addClick: [fields({ tracked_link_id: uuid, app_user_id: orNull(uuid), at: instant })],
        findWithClicks: [uuid],
        daysSince: [uuid, day],
        stats: [uuid],
      },
    },
    make: ({ statements }) => ({
      deepLinkConfigs: memoryConfigs(statements),
      trackedLinks: memoryTrackedLinks(statements),
    }),
  },
  control: {
    shapes: [domainShape],
    make: ({ statements }) => ({ linkDomains: memoryTable(statements, domainShape) }),
  },
}
