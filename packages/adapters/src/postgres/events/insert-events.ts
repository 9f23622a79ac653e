import type { Clock } from "@hearth/core"
import { appEventKey, type Events, type EventsWritten, type NewEvent, type WritingPlane } from "@hearth/core/events"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { type GroupWritten, groupEvents } from "./event-groups.ts"
import { causedStatements, insertStatements } from "./insert-statements.ts"
import type { SingleEvent } from "./single-event.ts"

const foundIds = `
  select array_agg(given.id order by ordinal) as inserted
  from unnest($1::uuid[]) with ordinality as given (id, ordinal) join engagement_events using (id)`

// About the size of the other columns of an event.
const headBytes = 200

interface Answered {
  readonly inserted: ReadonlyArray<string> | null
  readonly unknown_users: ReadonlyArray<number>
}

type Rows = Effect.Effect<ReadonlyArray<Answered>>

/** The keys by which an event is told apart from others, and the id that an earlier release may have written [G0.3]. */
const keysOf = ({ app_user_id, external_id }: NewEvent, plane: WritingPlane) =>
  plane === "admin" || external_id === null
    ? { external_id, cause_key: null, event_id: null }
    : { external_id: null, cause_key: appEventKey(app_user_id, external_id), event_id: external_id }

const readWritten = ([row]: ReadonlyArray<Answered>): EventsWritten => {
  const unknown = row?.unknown_users ?? []
  return unknown.length > 0 ? { unknown_users: unknown } : { inserted: row?.inserted ?? [] }
}

type Head = Pick<NewEvent, "id" | "app_user_id" | "event_name" | "properties" | "occurred_at">

interface Sized<Event extends Head = Head> {
  readonly event: Event
  readonly json: string
  readonly bytes: number
}

const measure = <Event extends Head>(event: Event): Sized<Event> => {
  const json = JSON.stringify(event.properties)
  return { event, json, bytes: Buffer.byteLength(json) + headBytes }
}

const sumBytes = (events: ReadonlyArray<Sized>) => events.reduce((sum, { bytes }) => sum + bytes, 0)

/** The columns that all events have. */
const listHeads = (events: ReadonlyArray<Sized>) => [
  events.map(({ event }) => event.id),
  events.map(({ event }) => event.app_user_id),
  events.map(({ event }) => event.event_name),
  events.map(({ json }) => json),
  events.map(({ event }) => event.occurred_at),
]

const describeSingle = (event: NewEvent, plane: WritingPlane): SingleEvent => ({
  ...measure(event),
  plane,
  mayExist: false,
})

/** What the statements of many events are given: a list per column. */
const listColumns = (
  events: ReadonlyArray<Sized<NewEvent>>,
  plane: WritingPlane,
): ReadonlyArray<ReadonlyArray<unknown>> => {
  const keys = events.map(({ event }) => keysOf(event, plane))
  return [
    ...listHeads(events),
    keys.map(({ external_id }) => external_id),
    keys.map(({ cause_key }) => cause_key),
    keys.map(({ event_id }) => event_id),
  ]
}

/**
 * Writes events, as the port says. Outside of a transaction single events that come at the same time are written together.
 */
export const makeInsertEvents = (statements: Statements, clock: Clock): Pick<Events, "insert" | "insertNew"> => {
  const prepared = (name: string, text: string, values: ReadonlyArray<unknown>): Rows =>
    statements.prepared<Answered>(name, text, values)

  /**
   * Writes events once more after a lost answer, which waits for the end of the first try and skips what that has written: what is in
   * the log afterwards was inserted by this call.
   */
  const writeAgain = (events: ReadonlyArray<NewEvent>, text: string, values: ReadonlyArray<unknown>): Rows =>
    Effect.gen(function* () {
      const [answered] = yield* statements.rows<Answered>(text, values)
      const [found] = yield* statements.rows<Pick<Answered, "inserted">>(foundIds, [events.map(({ id }) => id)])
      return [{ inserted: found?.inserted ?? null, unknown_users: answered?.unknown_users ?? [] }]
    })

  const insertMany = (events: ReadonlyArray<NewEvent>, plane: WritingPlane, enqueue: boolean): Rows => {
    const measured = events.map(measure)
    const columns = listColumns(measured, plane)
    const { many, manyQueued, manyQueuedAgain } = insertStatements[plane]
    if (!enqueue) return prepared(`insert-events-${plane}`, many, columns)
    const values = [...columns, sumBytes(measured), clock.now()]
    return statements.confirm(
      prepared(`insert-and-queue-events-${plane}`, manyQueued, values),
      writeAgain(events, manyQueuedAgain, values),
    )
  }

  const valuesOf = ({ event, plane, json }: SingleEvent) => {
    const { id, app_user_id, event_name, occurred_at } = event
    const { external_id, cause_key, event_id } = keysOf(event, plane)
    return [id, app_user_id, event_name, json, occurred_at, external_id, cause_key, event_id]
  }
  const queuedValuesOf = (single: SingleEvent) => [...valuesOf(single), single.bytes, clock.now()]

  const insertOne = (single: SingleEvent): Rows => {
    const { oneQueued, oneQueuedAgain } = insertStatements[single.plane]
    const values = queuedValuesOf(single)
    const again = writeAgain([single.event], oneQueuedAgain, values)
    if (single.mayExist) return again
    return statements.confirm(prepared(`insert-and-queue-event-${single.plane}`, oneQueued, values), again)
  }

  const insertGroup = async (group: ReadonlyArray<SingleEvent>): Promise<GroupWritten> => {
    const [first] = group as [SingleEvent]
    const { plane } = first
    const { groupQueued, groupQueuedAgain, groupOfOneQueued, oneQueuedAgain } = insertStatements[plane]
    const isOne = group.length === 1
    const values = isOne ? queuedValuesOf(first) : [...listColumns(group, plane), sumBytes(group), clock.now()]
    const events = group.map(({ event }) => event)
    let mayExist = false
    const again = Effect.suspend(() => {
      mayExist = true
      return writeAgain(events, isOne ? oneQueuedAgain : groupQueuedAgain, values)
    })
    const once = isOne
      ? prepared(`insert-and-queue-event-group-of-one-${plane}`, groupOfOneQueued, values)
      : prepared(`insert-and-queue-event-group-${plane}`, groupQueued, values)
    try {
      const [row] = await Effect.runPromise(statements.confirm(once, again))
      const [unknown, inserted] = [new Set(row?.unknown_users), new Set(row?.inserted)]
      const answers = events.map(({ id }, index): EventsWritten => {
        if (unknown.has(index)) return { unknown_users: [0] }
        return { inserted: inserted.has(id) ? [id] : [] }
      })
      return { answers }
    } catch (error) {
      return { error, mayExist }
    }
  }

  const { autocommit } = statements
  const insertSingle =
    autocommit === null
      ? null
      : groupEvents({
          database: autocommit.database,
          together: insertGroup,
          alone: (single) => Effect.runPromise(Effect.map(insertOne(single), readWritten)),
        })

  return {
    insert: (events, { enqueue, plane = "admin" }) => {
      const [only] = events
      if (events.length !== 1 || only === undefined) return Effect.map(insertMany(events, plane, enqueue), readWritten)
      return Effect.suspend(() => {
        const single = describeSingle(only, plane)
        if (enqueue && insertSingle !== null) return Effect.promise(() => insertSingle(single))
        const { one } = insertStatements[plane]
        const rows = enqueue ? insertOne(single) : prepared(`insert-event-${plane}`, one, valuesOf(single))
        return Effect.map(rows, readWritten)
      })
    },
    insertNew: (event, plane) =>
      Effect.suspend(() => {
        const values = valuesOf(describeSingle(event, plane))
        return statements.send(insertStatements[plane].oneNew, values, `insert-new-event-${plane}`)
      }),
  }
}

/** Writes events that others have caused, as the port says. */
export const makeInsertCaused = (statements: Statements, clock: Clock): Events["insertCaused"] => {
  const { many, one } = causedStatements
  return (events) => {
    const measured = events.map((event) => ({ ...measure(event), cause_key: event.cause_key }))
    const given = [sumBytes(measured), clock.now()]
    const [only] = measured
    if (only === undefined || measured.length > 1) {
      const columns = [...listHeads(measured), measured.map(({ cause_key }) => cause_key)]
      return statements.send(many, [...columns, ...given], "events-insert-caused")
    }
    const { event, json, cause_key } = only
    const values = [event.id, event.app_user_id, event.event_name, json, event.occurred_at, cause_key]
    return statements.send(one, [...values, ...given], "events-insert-one-caused")
  }
}
