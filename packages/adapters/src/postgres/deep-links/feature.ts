import type {
  DeepLinkConfigs,
  DeepLinkSettings,
  DeepLinksControlDb,
  DeepLinksDb,
  LinkDay,
  LinkDomain as LinkDomainRow,
  LinkStats,
  TrackedLinkRow,
  TrackedLinks,
  TrackedLink as TrackedLinkWithClicks,
} from "@hearth/core/deep-links"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { ControlFeature, TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"
import { DeepLinkConfig, deepLinks, LinkClicks, LinkDomain, LinkUser, linkDomains, TrackedLink } from "./entities.ts"

// "hear", "conf". There may be no row yet that could be locked.
const lockConfig = "select pg_advisory_xact_lock(1751474546, 1668247142)"

const makeConfigs = (statements: Statements, { columns, name }: TableShape): DeepLinkConfigs => {
  const own = columns.filter((column) => column !== "id")
  const select = `select ${own.join(", ")} from ${name}`
  const first = (text: string) =>
    Effect.map(statements.rows<DeepLinkSettings>(text), ([row]) => Option.fromNullishOr(row))
  return {
    find: () => first(select),
    lock: () => Effect.andThen(statements.rows(lockConfig), first(`${select} for no key update`)),
    save: (settings) =>
      Effect.asVoid(
        statements.rows(
          `insert into ${name} (id, ${own.join(", ")}) values (1, ${own.map((_, at) => `$${at + 1}`).join(", ")})
           on conflict (id) do update set ${own.map((column) => `${column} = excluded.${column}`).join(", ")}`,
          own.map((column) => {
            const value = settings[column as keyof DeepLinkSettings]
            return Array.isArray(value) ? JSON.stringify(value) : value
          }),
        ),
      ),
  }
}

// The user before the link, as everywhere: whoever removes either of them waits, or is waited for, in one direction.
const addClick = `
  with visitor as materialized (
    select id from app_users where id = $4 for key share
  ), link as materialized (
    select id from tracked_links where id = $1 and (select count(*) from visitor) >= 0 for key share
  ), clicked as (
    insert into tracked_link_clicks as c (tracked_link_id, day, platform, clicks)
    select id, ($3::timestamptz at time zone 'UTC')::date, $2, 1 from link
    on conflict (tracked_link_id, day, platform) do update set clicks = c.clicks + 1
  )
  insert into tracked_link_users (tracked_link_id, app_user_id, first_clicked_at)
  select link.id, visitor.id, $3 from link, visitor on conflict do nothing`

const stats = `
  select l.id as tracked_link_id, l.slug, coalesce(sum(c.clicks), 0)::int as total_clicks,
    (select count(*)::int from tracked_link_users u where u.tracked_link_id = l.id) as unique_users,
    jsonb_build_object(${["ios", "android", "web", "unknown"]
      .map((platform) => `'${platform}', coalesce(sum(c.clicks) filter (where c.platform = '${platform}'), 0)`)
      .join(", ")}) as clicks_by_platform
  from tracked_links l left join tracked_link_clicks c on c.tracked_link_id = l.id
  where l.id = $1 group by l.id`

const link = `
  select l.*, coalesce((
    select sum(clicks) from tracked_link_clicks c where c.tracked_link_id = l.id
  ), 0)::int as click_count
  from tracked_links l where l.id = $1`

const days = `
  select to_char(day, 'YYYY-MM-DD') as day, ${["ios", "android", "web", "unknown"]
    .map((platform) => `coalesce(sum(clicks) filter (where platform = '${platform}'), 0)::int as ${platform}`)
    .join(", ")}
  from tracked_link_clicks c where tracked_link_id = $1 and c.day >= $2::date group by c.day order by c.day`

// "hear", "link". Locks of this kind are known in one database only.
const lockCreation = "select pg_advisory_xact_lock(1751474546, 1818848875)"

const list = (where: string) => `
  select l.*, coalesce((
    select sum(clicks) from tracked_link_clicks c where c.tracked_link_id = l.id
  ), 0)::int as click_count
  from (${cutPage(
    `select * from tracked_links where ${where} order by created_at desc, id desc limit $1 offset $2`,
    "created_at desc, id desc",
    jsonBytes("metadata"),
  )}) as l
  order by created_at desc, id desc`

const makeTrackedLinks = (statements: Statements, shape: TableShape): TrackedLinks => {
  const count = () =>
    Effect.map(
      statements.rows<{ readonly count: number }>("select count(*)::int from tracked_links"),
      ([row]) => row?.count ?? 0,
    )
  return {
    ...makeTable<TrackedLinkRow>(statements, shape),
    count,
    lockCreation: () => Effect.asVoid(statements.rows(lockCreation)),
    pageWithClicks: Effect.fnUntraced(function* ({ limit, offset }) {
      const rows = yield* statements.rows<TrackedLinkWithClicks & Measured>(list("true"), [limit, offset])
      return { ...readCut<TrackedLinkWithClicks>(rows), total: yield* count() }
    }),
    listWithClicksAfter: ({ at, id }, { limit, offset }) =>
      Effect.map(
        statements.rows<TrackedLinkWithClicks & Measured>(list("(created_at, id) < ($3, $4)"), [limit, offset, at, id]),
        readCut<TrackedLinkWithClicks>,
      ),
    addClick: ({ tracked_link_id, platform, app_user_id, at }) =>
      Effect.asVoid(statements.rows(addClick, [tracked_link_id, platform, at, app_user_id])),
    findWithClicks: (id) =>
      Effect.map(statements.rows<TrackedLinkWithClicks>(link, [id]), ([row]) => Option.fromNullishOr(row)),
    daysSince: (id, day) => statements.rows<LinkDay>(days, [id, day]),
    stats: (id) => Effect.map(statements.rows<LinkStats>(stats, [id]), ([row]) => Option.fromNullishOr(row)),
  }
}

/** What there is of deep links in PostgreSQL. */
export const deepLinksFeature: TenantFeature<DeepLinksDb> & ControlFeature<DeepLinksControlDb> = {
  tenant: {
    entities: [DeepLinkConfig, TrackedLink, LinkClicks, LinkUser],
    steps: [deepLinks],
    repositories: {
      deepLinkConfigs: (statements, shapes) => makeConfigs(statements, shapes(DeepLinkConfig)),
      trackedLinks: (statements, shapes) => makeTrackedLinks(statements, shapes(TrackedLink)),
    },
  },
  control: {
    entities: [LinkDomain],
    steps: [linkDomains],
    repositories: { linkDomains: (statements, shapes) => makeTable<LinkDomainRow>(statements, shapes(LinkDomain)) },
  },
}
