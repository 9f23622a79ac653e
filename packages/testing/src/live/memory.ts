import type { FeedItemRow } from "@hearth/core/feeds"
import {
  type LiveReading,
  makeVisible,
  type NewRows,
  type ProjectFilter,
  type ProjectItem,
  type Taken,
  type UserItem,
} from "@hearth/core/live"
import { isVisible } from "@hearth/core/messaging"
import { achievementShape, userAchievementShape } from "../achievements/memory-shapes.ts"
import { deadLetterShape } from "../background/memory-dead-letters.ts"
import { eventShape } from "../events/memory.ts"
import { describeItem, feedItemShape, isShown } from "../feeds/memory.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import type { Identified, Shape } from "../memory/shape.ts"
import { select } from "../memory/table.ts"
import { describeMessage, listParticipants } from "../messaging/read.ts"
import { messageShape } from "../messaging/shapes.ts"
import { followShape } from "../relations/memory.ts"
import { streakDefinitionShape, userStreakShape } from "../streaks/memory.ts"
import { xpEntryShape, xpLevelShape, xpTotalShape } from "../xp/memory.ts"

// Commits follow one another here: none is under way at a snapshot.
const take = ({ commits }: Draft): Taken => ({
  snapshot: `${commits.last + 1}:${commits.last + 1}:`,
  running_millis: 0,
})

/** The rows of a table that are new, by id, each with the commit that wrote it. */
const makeFresh = (draft: Draft, { after, upto, from_id }: NewRows) => {
  const isKnown = makeVisible(after)
  const isThere = upto === null ? () => true : makeVisible(upto)
  return <Row extends Identified>(shape: Shape<Row>, leastId = from_id) =>
    [...rowsOf(draft, shape).values()].flatMap((row) => {
      const xid = String(draft.commits.ofRows.get(row) ?? draft.commits.last + 1)
      return row.id >= leastId && !isKnown(xid) && isThere(xid) ? [{ row, xid }] : []
    })
}

const describeUnlock = (
  draft: Draft,
  {
    id,
    achievement_id,
    unlocked_at,
  }: { readonly id: string; readonly achievement_id: string; readonly unlocked_at: Date },
) => {
  const achievement = rowsOf(draft, achievementShape).get(achievement_id)
  if (achievement === undefined) throw new Error("An unlock has an achievement that is not there.")
  const { key, name, description, icon_url, xp_reward } = achievement
  return { id, achievement_id, key, name, description, icon_url, xp_reward, unlocked_at }
}

const totalOf = (draft: Draft, app_user_id: string) => select(draft, xpTotalShape, { app_user_id })[0]?.total ?? 0

const readStreaks = (draft: Draft, rows: NewRows, userIds: ReadonlySet<string>) =>
  makeFresh(draft, rows)(userStreakShape, "").flatMap(({ row, xid }) => {
    const definition = rowsOf(draft, streakDefinitionShape).get(row.streak_definition_id)
    if (definition === undefined || !userIds.has(row.app_user_id)) return []
    const {
      last_period: _,
      settled_period: _s,
      last_event_at: _e,
      last_done_at: _d,
      last_done_zone: _z,
      rules: _r,
      rebuild_from: _f,
      ...view
    } = row
    return [{ xid, item: { ...view, name: definition.name } }]
  })

const readersOf = (draft: Draft, item: FeedItemRow, userIds: ReadonlySet<string>) => {
  const followers = select(draft, followShape, { followed_id: item.actor_id }).map(({ follower_id }) => follower_id)
  const query = (viewer_id: string) => ({ viewer_id, scope: { of: "following" as const }, limit: 1, after: null })
  const shown = followers.filter((id) => isShown(draft, query(id), item))
  return [...new Set([item.actor_id, ...shown])].filter((id) => userIds.has(id))
}

const readUsers = (draft: Draft, rows: NewRows, userIds: ReadonlySet<string>): ReadonlyArray<UserItem> => {
  const fresh = makeFresh(draft, rows)
  const found: Array<UserItem> = []
  for (const { row, xid } of fresh(messageShape)) {
    for (const { app_user_id: user_id } of listParticipants(draft, row.conversation_id))
      if (userIds.has(user_id) && isVisible(row, user_id))
        found.push({ kind: "message", user_id, xid, item: describeMessage(draft, row) })
  }
  for (const { row, xid } of fresh(userAchievementShape))
    found.push({ kind: "achievement", user_id: row.app_user_id, xid, item: describeUnlock(draft, row) })
  for (const { row, xid } of fresh(xpEntryShape)) {
    const { id, app_user_id, amount, source, reference_id, created_at } = row
    const item = { id, amount, source, reference_id, created_at, total: totalOf(draft, app_user_id) }
    found.push({ kind: "xp", user_id: app_user_id, xid, item })
  }
  for (const { row, xid } of fresh(eventShape, "")) {
    const level = rowsOf(draft, xpLevelShape).get(String(row.properties["xp_required"]))
    if (row.event_name !== "level_reached" || level === undefined) continue
    const { name, xp_required } = level
    found.push({ kind: "level", user_id: row.app_user_id, xid, item: { id: row.id, name, xp_required } })
  }
  for (const { row, xid } of fresh(feedItemShape)) {
    for (const user_id of readersOf(draft, row, userIds))
      found.push({ kind: "feed_item", user_id, xid, item: describeItem(draft, row) })
  }
  const own = found.filter(({ user_id }) => userIds.has(user_id)).toSorted((a, b) => (a.item.id < b.item.id ? -1 : 1))
  const streaks = readStreaks(draft, rows, userIds).map(
    ({ xid, item }): UserItem => ({ kind: "streak", user_id: item.app_user_id, xid, item }),
  )
  return [...own, ...streaks]
}

const countUsers = (items: ReadonlyArray<UserItem>) => {
  const counts = new Map<string, number>()
  for (const { user_id } of items) counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
  return counts
}

const newest = <Row extends Identified>(rows: ReadonlyArray<{ readonly row: Row }>) =>
  rows.map(({ row }) => row).toSorted((a, b) => (a.id < b.id ? 1 : -1))

const countNames = (events: ReadonlyArray<{ readonly event_name: string }>) => {
  const counts = new Map<string, number>()
  for (const { event_name } of events) counts.set(event_name, (counts.get(event_name) ?? 0) + 1)
  return [...counts]
    .map(([event_name, count]) => ({ event_name, count }))
    .toSorted((a, b) => b.count - a.count || (a.event_name < b.event_name ? -1 : 1))
    .slice(0, 20)
}

const readProject = (draft: Draft, rows: NewRows, { event_name, user_id }: ProjectFilter, limit: number) => {
  const fresh = makeFresh(draft, rows)
  const ofUser = (id: string | null) => user_id === null || id === user_id
  const ofEvent = (id: string | null) =>
    event_name === null || (id !== null && rowsOf(draft, eventShape).get(id)?.event_name === event_name)
  const events = newest(fresh(eventShape)).filter((row) => ofUser(row.app_user_id) && ofEvent(row.id))
  const letters = newest(fresh(deadLetterShape, "")).filter((row) => ofUser(row.app_user_id) && ofEvent(row.event_id))
  const xp = newest(fresh(xpEntryShape)).filter(
    (row) => ofUser(row.app_user_id) && ofEvent(row.source === "event" ? row.reference_id : null),
  )
  const unlocks = newest(fresh(userAchievementShape)).filter((row) => ofUser(row.app_user_id) && ofEvent(null))
  const feed = newest(fresh(feedItemShape)).filter((row) => ofUser(row.actor_id) && ofEvent(row.event_id))
  const active = [...rowsOf(draft, eventShape).values()].filter((row) => row.id >= rows.from_id && ofEvent(row.id))
  const lookedAt = new Set(user_id === null ? active.map(({ app_user_id }) => app_user_id) : [user_id])
  const items: ReadonlyArray<ProjectItem> = [
    ...events.slice(0, limit).map(
      ({ id, app_user_id, event_name, properties, occurred_at }): ProjectItem => ({
        kind: "event",
        item: { id, app_user_id, event_name, properties, occurred_at },
      }),
    ),
    ...letters
      .slice(0, limit)
      .map(({ payload: _, next_try_at: _n, ...item }): ProjectItem => ({ kind: "dead_letter", item })),
    ...xp.slice(0, limit).map(
      ({ id, app_user_id, amount, source, reference_id, created_at }): ProjectItem => ({
        kind: "xp",
        item: { id, app_user_id, amount, source, reference_id, created_at, total: totalOf(draft, app_user_id) },
      }),
    ),
    ...unlocks.slice(0, limit).map(
      (row): ProjectItem => ({
        kind: "achievement",
        item: { ...describeUnlock(draft, row), app_user_id: row.app_user_id },
      }),
    ),
    ...feed.slice(0, limit).map((row): ProjectItem => ({ kind: "feed_item", item: describeItem(draft, row) })),
    ...readStreaks(draft, rows, lookedAt).map(({ item }): ProjectItem => ({ kind: "streak", item })),
  ]
  const effects = xp.length + unlocks.length + feed.length
  const counts = { events: events.length, effects, dead_letters: letters.length }
  return { counts, names: countNames(events), items }
}

/** What is new, from the tables of all features in memory. */
export const memoryLive = (statements: Statements): LiveReading => ({
  take: () => statements.query(take),
  ofUsers: (rows, userIds, limit) =>
    statements.query((draft) => ({ ...take(draft), items: readUsers(draft, rows, new Set(userIds)).slice(0, limit) })),
  countOfUsers: (rows, userIds) => statements.query((draft) => countUsers(readUsers(draft, rows, new Set(userIds)))),
  ofProject: (rows, filter, limit) =>
    statements.query((draft) => ({ ...take(draft), ...readProject(draft, rows, filter, limit) })),
})
