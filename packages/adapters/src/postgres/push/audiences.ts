import type { AudienceQuery, AudienceZone, PushAudiences } from "@hearth/core/push"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeBindings } from "../sql/bindings.ts"
import { describedAudienceSql } from "./audience-sql.ts"

const zonesQuery = (audience: AudienceQuery, now: Date) => {
  const bindings = makeBindings()
  const text = `
    with audience as materialized (${describedAudienceSql(audience, now, bindings).text}), devices as (
      select a.timezone,
        ${["ios", "android", "web"]
          .map((platform) => `(count(*) filter (where t.platform = '${platform}'))::int as ${platform}`)
          .join(", ")}
      from audience a join push_tokens t on t.app_user_id = a.id and t.is_active group by a.timezone
    ), people as (
      select timezone, count(*)::int as users from audience group by timezone
    )
    select p.timezone, p.users, d.ios, d.android, d.web
    from people p join devices d on d.timezone is not distinct from p.timezone
    order by p.timezone nulls first`
  return { text, values: bindings.values }
}

const sampleQuery = (
  audience: AudienceQuery,
  now: Date,
  zones: ReadonlyArray<string | null>,
  size: number,
  columns: ReadonlyArray<string>,
) => {
  const bindings = makeBindings()
  const named = bindings.bindAll(
    zones.filter((zone) => zone !== null),
    "text",
  )
  const inZones = `a.timezone = any(${named}) ${zones.includes(null) ? "or a.timezone is null" : ""}`
  const text = `
    select ${columns.map((column) => `u.${column}`).join(", ")}
    from (
      select a.id from (${describedAudienceSql(audience, now, bindings).text}) a where ${inZones}
      order by a.last_seen_at desc, a.id limit ${bindings.bind(size, "bigint")}
    ) as first join app_users u using (id)
    order by u.last_seen_at desc, u.id`
  return { text, values: bindings.values }
}

/** Whom pushes are for, in PostgreSQL. */
export const makePushAudiences = (statements: Statements, users: TableShape): PushAudiences => ({
  countZones: (audience, now) =>
    Effect.suspend(() => {
      const { text, values } = zonesQuery(audience, now)
      return statements.rows<AudienceZone>(text, values)
    }),
  sample: (audience, now, zones, size) =>
    Effect.suspend(() => {
      const { text, values } = sampleQuery(audience, now, zones, size, users.columns)
      return statements.rows<UserRow>(text, values)
    }),
})
