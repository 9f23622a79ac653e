import { Text } from "@hearth/core"
import { QualifyingEventRow, type QualifyingEvents, type StreakKey } from "@hearth/core/streaks"
import { Schema } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, keepRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { removeOfUser } from "../memory/table.ts"
import { formatStreak } from "./format-streak.ts"

/** The id is made of the key: user, definition and instant. */
const StoredEvent = Schema.Struct({ id: Text, ...QualifyingEventRow.fields })

/** The table of what definitions have counted. */
export const qualifyingEventShape = describeTable("qualifying events", StoredEvent, {
  parents: { app_user_id: "users", streak_definition_id: "streak definitions" },
})

const formatEvent = (key: StreakKey & Pick<QualifyingEventRow, "occurred_at">) =>
  `${formatStreak(key)}/${key.occurred_at.toISOString()}`

/** The events at one instant of a streak. */
export const findEvent = (draft: Draft, key: Parameters<typeof formatEvent>[0]): QualifyingEventRow | undefined =>
  rowsOf(draft, qualifyingEventShape).get(formatEvent(key))

/** What definitions have counted of the event log. */
export const memoryQualifyingEvents = (statements: Statements): QualifyingEvents => ({
  add: (events) =>
    statements.change((draft) => {
      const ids = events.map(formatEvent)
      if (new Set(ids).size < ids.length) throw new Error("An instant is given twice.")
      for (const [at, given] of events.entries()) {
        if (given.events < 1) throw new Error("There are no events at an instant.")
        const event = keepRow(qualifyingEventShape, { ...given, id: ids[at] ?? "" })
        const present = rowsOf(draft, qualifyingEventShape).get(event.id)
        if (present === undefined) insertRow(draft, qualifyingEventShape, event)
        else {
          const more = { ...present, events: present.events + event.events }
          replaceRow(draft, qualifyingEventShape, present, more)
        }
      }
    }),
  list: (keys, limit) =>
    statements.query((draft) => {
      const byStreak = Map.groupBy(rowsOf(draft, qualifyingEventShape).values(), formatStreak)
      return keys
        .flatMap((key) =>
          (byStreak.get(formatStreak(key)) ?? [])
            .filter(({ occurred_at }) => occurred_at >= key.from)
            .toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime()),
        )
        .slice(0, limit)
        .map(({ id: _, ...event }) => event)
    }),
  firstOfSpans: (key, spans, limit) =>
    statements.query((draft) => {
      const theirs = [...rowsOf(draft, qualifyingEventShape).values()]
        .filter((event) => formatStreak(event) === formatStreak(key))
        .toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime())
        .map(({ id: _, ...event }) => event)
      return spans.flatMap(({ from, through }) =>
        theirs.filter(({ day }) => from <= day && day <= through).slice(0, limit),
      )
    }),
  removeSome: (userId, limit) => removeOfUser(statements, qualifyingEventShape, userId, limit),
})
