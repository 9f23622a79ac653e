import { expect } from "vitest"
import type { Sql } from "../harness/sql.ts"
import { eventName, type Sent } from "./clients/ingest-clients.ts"
import { type ModelRules, modelStreak } from "./streak-model.ts"

interface StoredEvent {
  readonly external_id: string
  readonly app_user_id: string
  readonly occurred_at: Date
}

interface StoredStreak {
  readonly app_user_id: string
  readonly definition: string
}

const streaksQuery = `
  select app_user_id, streak_definition_id as definition, current_count, longest_count, freezes_remaining, status,
    (select count(*)::int from streak_events e where kind = 'done' and e.app_user_id = s.app_user_id
       and e.streak_definition_id = s.streak_definition_id) as done,
    (select count(*)::int from streak_events e where kind = 'freeze' and e.app_user_id = s.app_user_id
       and e.streak_definition_id = s.streak_definition_id) as frozen
  from user_streaks s`

/** How many entries of a project's outbox wait. */
export const waitingIn = async (sql: Sql, projectId: string): Promise<number> => {
  const [row] = await sql.rows<{ waiting: number }>(projectId, "select count(*)::int as waiting from outbox")
  return row?.waiting ?? 0
}

/** Every acknowledged event is in the log exactly once, no event that was never sent is, and each batch is there whole or not at all. */
export const expectEveryEventOnce = async (sql: Sql, projectId: string, sent: Sent): Promise<void> => {
  const stored = await sql.rows<StoredEvent>(projectId, "select external_id from engagement_events")
  const present = new Set(stored.map(({ external_id }) => external_id))
  const known = new Set(sent.batches.flat())
  expect(present.size).toBe(stored.length)
  expect([...sent.acknowledged].filter((id) => !present.has(id))).toEqual([])
  expect([...present].filter((id) => !known.has(id))).toEqual([])
  const torn = sent.batches.filter((ids) => new Set(ids.map((id) => present.has(id))).size > 1)
  expect(torn).toEqual([])
}

/**
 * Every streak equals what follows from the log. Where a user's days came in random order, only definitions without freezes
 * are checked: with freezes, the longest run so far may be longer than any in the final log.
 */
export const expectStreaksOfTheLog = async (
  sql: Sql,
  projectId: string,
  definitions: ReadonlyMap<string, ModelRules>,
  offsetHours: number,
  sent: Pick<Sent, "orderly" | "shuffled">,
): Promise<void> => {
  const log = await sql.rows<StoredEvent>(
    projectId,
    "select app_user_id, occurred_at from engagement_events where event_name = $1",
    [eventName],
  )
  const instants = Map.groupBy(log, ({ app_user_id }) => app_user_id)
  const rows = await sql.rows<StoredStreak>(projectId, streaksQuery)
  const stored = new Map(rows.map(({ app_user_id, definition, ...streak }) => [`${app_user_id} ${definition}`, streak]))
  expect(stored.size).toBe(instants.size * definitions.size)
  for (const [userId, events] of instants) {
    for (const [definition, rules] of definitions) {
      if (rules.max_freezes > 0 && !sent.orderly.has(userId)) continue
      const times = events.map(({ occurred_at }) => occurred_at)
      const name = `${userId} ${definition}`
      expect({ name, ...stored.get(name) }).toEqual({ name, ...modelStreak(rules, times, offsetHours) })
    }
  }
}
