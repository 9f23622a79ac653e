import type { Schemas } from "../../api.ts"
import { sayNumber } from "../../parts/values/say-number.ts"

type StoredEvent = Schemas["EngagementEvent"]
type DeadLetter = Schemas["DeadLetter"]

interface Xp {
  readonly kind: "xp"
  readonly id: string
  readonly app_user_id: string
  readonly amount: number
  readonly total: number
  readonly source: string
  /** Of the source `event` its id. */
  readonly reference_id: string | null
  readonly created_at: string
}

interface Achievement {
  readonly kind: "achievement"
  readonly id: string
  readonly app_user_id: string
  readonly achievement_id: string
  readonly name: string
  readonly unlocked_at: string
}

interface Streak {
  readonly kind: "streak"
  readonly app_user_id: string
  readonly streak_definition_id: string
  readonly name: string
  readonly current_count: number
  readonly status: string
  readonly updated_at: string
}

type FeedItem = Schemas["FeedItem"] & { readonly kind: "feed_item" }

/** How many there are of each. */
export interface Counts {
  readonly events: number
  readonly effects: number
  readonly dead_letters: number
}

/** What the stream sends of new things: the newest of each, and how many there were in all (docs/live.md). */
export interface Batch {
  readonly counts: Counts
  readonly names: ReadonlyArray<{ readonly event_name: string }>
  readonly events: ReadonlyArray<StoredEvent>
  readonly effects: ReadonlyArray<Xp | Achievement | Streak | FeedItem>
  readonly dead_letters: ReadonlyArray<DeadLetter>
  readonly left_out: Counts
}

interface PageLink {
  readonly path: string
  readonly name: string
}

/** One line of the list. */
export interface Row {
  readonly sort: "event" | "effect" | "dead letter"
  /** Of an event it is unique in the list. */
  readonly id: string
  readonly at: string
  readonly name: string
  readonly says: string
  readonly userId: string | null
  /** The pages of the project that have more of it. */
  readonly pages: ReadonlyArray<PageLink>
  /** What is shown once it is opened. */
  readonly content: object
  /** The characters of its JSON. */
  readonly size: number
}

const row = (given: Omit<Row, "size">): Row => ({ ...given, size: JSON.stringify(given.content).length })

/** Where an event stands among those of its user, which happened at this instant or soon before it. */
const eventLink = (userId: string, id: string, at: string, name: string): PageLink => {
  const until = new Date(Date.parse(at) + 1).toISOString()
  return { path: `users/${userId}?tab=events&event=${id}&until=${encodeURIComponent(until)}`, name }
}

/** An event as a line. */
export const eventRow = ({ id, event_name, app_user_id, occurred_at, properties }: StoredEvent): Row => {
  const keys = Object.keys(properties)
  return row({
    ...{ sort: "event", id, at: occurred_at, name: event_name, userId: app_user_id, content: properties },
    pages: [eventLink(app_user_id, id, occurred_at, "what the user did before it")],
    says: keys.slice(0, 5).join(", ") + (keys.length > 5 ? ", …" : ""),
  })
}

const effectRow = (effect: Batch["effects"][number]): Row => {
  const sort = "effect"
  switch (effect.kind) {
    case "xp": {
      const { id, created_at: at, app_user_id: userId, amount, total, source, reference_id } = effect
      const says = `${amount > 0 ? "+" : ""}${sayNumber(amount)}, ${sayNumber(total)} in all`
      const cause =
        source === "event" && reference_id !== null ? [eventLink(userId, reference_id, at, "its event")] : []
      const pages = [...cause, { path: "xp", name: "the rules" }]
      return row({ sort, id, at, userId, name: "XP", says, pages, content: effect })
    }
    case "achievement": {
      const { id, unlocked_at: at, app_user_id: userId, name: says, achievement_id } = effect
      const pages = [{ path: `achievements/${achievement_id}`, name: "the achievement" }]
      return row({ sort, id, at, userId, name: "Achievement", says, pages, content: effect })
    }
    case "streak": {
      const { streak_definition_id, updated_at: at, app_user_id: userId, name, current_count, status } = effect
      const pages = [{ path: `streaks/${streak_definition_id}`, name: "the streak" }]
      const says = `${name}: ${sayNumber(current_count)}, ${status}`
      // The same streak comes each time that it is counted.
      return row({ sort, id: `${userId} ${at}`, at, userId, name: "Streak", says, pages, content: effect })
    }
    case "feed_item": {
      const { id, created_at: at, actor_id: userId, action: says } = effect
      return row({
        sort,
        id,
        at,
        userId,
        name: "Feed item",
        says,
        pages: [{ path: "feed", name: "the feed" }],
        content: effect,
      })
    }
  }
}

const letterRow = (letter: DeadLetter): Row =>
  row({
    ...{ sort: "dead letter", id: letter.id, at: letter.first_failed_at, name: letter.reaction, says: letter.error },
    ...{ userId: letter.app_user_id, content: letter },
    pages: [{ path: `dead-letters/${letter.id}`, name: "the dead letter" }],
  })

/** The lines of a batch, the newest first: what was done for events is newer than they are. */
export const batchRows = ({ events, effects, dead_letters }: Batch): ReadonlyArray<Row> => [
  ...dead_letters.map(letterRow),
  ...effects.map(effectRow),
  ...events.map(eventRow),
]

const mostRows = 500
// So that a few large events are not more than a page should hold.
const mostCharacters = 4_000_000

/** The newest of the lines: as many as the page keeps. */
const keepNewest = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  let characters = 0
  const end = rows.findIndex(({ size }, at) => {
    characters += size
    return at === mostRows || (at > 0 && characters > mostCharacters)
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** The new lines before the others. An event comes again where the connection was cut in the middle of it. */
export const addRows = (added: ReadonlyArray<Row>, before: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const known = new Set(before.flatMap(({ sort, id }) => (sort === "event" ? [id] : [])))
  return keepNewest([...added.filter(({ sort, id }) => sort !== "event" || !known.has(id)), ...before])
}

/** The sum of what there is of each. */
export const addCounts = (one: Counts, other: Counts): Counts => ({
  events: one.events + other.events,
  effects: one.effects + other.effects,
  dead_letters: one.dead_letters + other.dead_letters,
})

export const noCounts: Counts = { events: 0, effects: 0, dead_letters: 0 }

export const addUp = ({ events, effects, dead_letters }: Counts): number => events + effects + dead_letters
