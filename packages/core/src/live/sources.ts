import { Effect, Schema } from "effect"
import type { Ports } from "../ports/ports.ts"
import { type ProjectItemKind, projectItems, type UserItemKind, userItems } from "./items.ts"
import type { LiveDb, NewRows, ProjectFilter, ProjectItem, ProjectNews, Taken, UserItem } from "./port.ts"
import { type Listener, type Resumed, rowsSince, type Source } from "./reader.ts"
import { earlier, makeVisible } from "./snapshot.ts"
import type { LiveEvent } from "./stream.ts"

type LivePorts = Pick<Ports<LiveDb>, "tenants">

// Of all users of a read together. Beyond that those with the most are told to read their lists anew.
const mostItems = 2_000
// The same for one user.
const mostOfUser = 500
// As many of a kind as somebody can look at.
const mostShown = 50
// What is shown of a batch, so that many large events are not more than a stream takes.
const mostBytes = 256 * 1024

const encoders = <Kind extends string>(schemas: Readonly<Record<Kind, Schema.Top>>) =>
  Object.fromEntries(
    Object.entries<Schema.Top>(schemas).map(([kind, schema]) => [
      kind,
      Schema.encodeUnknownSync(schema as Schema.Codec<unknown>, { disableChecks: true }),
    ]),
  ) as Readonly<Record<Kind, (item: unknown) => unknown>>

const encodeUserItem = encoders<UserItemKind>(userItems)
const encodeProjectItem = encoders<ProjectItemKind>(projectItems)

interface FoundItems extends Taken {
  /** Null for those of whom there was too much. */
  readonly byUser: ReadonlyMap<string, ReadonlyArray<UserItem> | null>
}

const groupByUser = (items: ReadonlyArray<UserItem>) => {
  const byUser = new Map<string, Array<UserItem>>()
  for (const item of items) {
    const own = byUser.get(item.user_id)
    if (own === undefined) byUser.set(item.user_id, [item])
    else own.push(item)
  }
  return byUser
}

/** The users who are told everything: those with the least, as many as a read has room for. */
const chooseUsers = (counts: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const chosen: Array<string> = []
  let room = mostItems
  for (const [id, count] of [...counts].toSorted(([, one], [, other]) => one - other)) {
    room -= count
    if (room < 0 || count > mostOfUser) break
    chosen.push(id)
  }
  return chosen
}

/**
 * What is new for the users. Where that is too much, it is counted and read anew without those who have the most, so that what
 * one user does to many costs the others nothing.
 */
const readUsers = Effect.fnUntraced(function* (db: LiveDb, rows: NewRows, users: ReadonlyArray<string>) {
  const { items, ...taken } = yield* db.live.ofUsers(rows, users, mostItems + 1)
  if (items.length <= mostItems) return { ...taken, byUser: groupByUser(items) } satisfies FoundItems
  const same = { ...rows, upto: rows.upto ?? taken.snapshot }
  const counts = yield* db.live.countOfUsers(same, users)
  const chosen = chooseUsers(counts)
  const read = yield* db.live.ofUsers(same, chosen, mostItems)
  const leftOut = new Map([...counts.keys()].map((id) => [id, null] as const))
  for (const id of chosen) leftOut.delete(id)
  return { ...taken, byUser: new Map([...groupByUser(read.items), ...leftOut]) } satisfies FoundItems
})

const writeItem = ({ kind, item }: UserItem): LiveEvent => ({
  name: kind,
  data: JSON.stringify(encodeUserItem[kind](item)),
  id: null,
})

const writeItems = (items: ReadonlyArray<UserItem> | null): ReadonlyArray<LiveEvent> | null =>
  items === null || items.length > mostOfUser ? null : items.map(writeItem)

const nothing: ReadonlyArray<LiveEvent> = []

/** What the users of a project get of it, each what is theirs: one query for all who listen. */
export const makeUsersSource = ({ tenants }: LivePorts, projectId: string): Source<FoundItems> => {
  const read: Source<FoundItems>["read"] = (rows, listeners) => {
    const users = [...new Set(listeners.map(({ userId }) => userId))]
    return tenants.read(projectId, (db) => readUsers(db, rows, users))
  }
  return {
    projectId,
    gapMillis: 100,
    take: () => tenants.read(projectId, (db) => db.live.take()),
    read,
    eventsFor: ({ byUser }, { userId }) => {
      const items = byUser.get(userId)
      return items === undefined ? nothing : writeItems(items)
    },
    catchUp: Effect.fnUntraced(function* (resumed, upto) {
      const [first, ...others] = resumed.map(({ from }) => from)
      const missed = new Map<Listener, ReadonlyArray<LiveEvent> | null>()
      if (first === undefined) return missed
      const snapshot = others.reduce((sooner, each) => earlier(sooner, each.snapshot), first.snapshot)
      const from = new Date(Math.min(...resumed.map((each) => each.from.from.getTime())))
      const rows = rowsSince({ snapshot, from, at: first.at }, upto)
      const { byUser } = yield* read(
        rows,
        resumed.map(({ listener }) => listener),
      )
      for (const { listener, from } of resumed) {
        const isKnown = makeVisible(from.snapshot)
        const items = byUser.get(listener.userId)
        const own = items === undefined ? [] : (items?.filter(({ xid }) => !isKnown(xid)) ?? null)
        missed.set(listener, writeItems(own))
      }
      return missed
    }),
  }
}

const isEmpty = ({ counts, items }: ProjectNews) =>
  counts.events + counts.effects + counts.dead_letters === 0 && items.length === 0

/** What is new as one event: how much, the newest of each kind, and how many of them were left out. */
const writeNews = ({ counts, names, items }: ProjectNews): LiveEvent => {
  const texts = { events: [] as Array<string>, effects: [] as Array<string>, dead_letters: [] as Array<string> }
  const shown = { events: 0, effects: 0, dead_letters: 0 }
  let bytes = 0
  for (const each of items) {
    const list = listOf(each)
    if (texts[list].length === mostShown) continue
    const encoded = encodeProjectItem[each.kind](each.item)
    const text = JSON.stringify(list === "effects" ? { kind: each.kind, ...(encoded as object) } : encoded)
    if (bytes + text.length > mostBytes) continue
    bytes += text.length
    texts[list].push(text)
    if (each.kind !== "streak") shown[list] += 1
  }
  const left_out = {
    events: Math.max(0, counts.events - shown.events),
    effects: Math.max(0, counts.effects - shown.effects),
    dead_letters: Math.max(0, counts.dead_letters - shown.dead_letters),
  }
  const parts = Object.entries(texts).map(([name, list]) => `"${name}":[${list.join()}]`)
  const data = `{"counts":${JSON.stringify(counts)},"names":${JSON.stringify(names)},${parts.join()},"left_out":${JSON.stringify(left_out)}}`
  return { name: "batch", data, id: null }
}

const listOf = ({ kind }: ProjectItem) =>
  kind === "event" ? "events" : kind === "dead_letter" ? "dead_letters" : "effects"

/** The events of a batch, made once for all who get it. */
const makeWriter = () => {
  const written = new WeakMap<ProjectNews, ReadonlyArray<LiveEvent>>()
  return (found: ProjectNews): ReadonlyArray<LiveEvent> => {
    if (isEmpty(found)) return nothing
    const known = written.get(found)
    if (known !== undefined) return known
    const made = [writeNews(found)]
    written.set(found, made)
    return made
  }
}

/** What developers get of a project: batches, at most a few a second. `onCounts` is told what each batch has. */
export const makeProjectSource = (
  { tenants }: LivePorts,
  projectId: string,
  filter: ProjectFilter,
  onCounts: (listeners: ReadonlyArray<Listener>, news: ProjectNews) => void,
): Source<ProjectNews> => {
  const write = makeWriter()
  const read: Source<ProjectNews>["read"] = (rows) =>
    tenants.read(projectId, (db) => db.live.ofProject(rows, filter, mostShown))
  return {
    projectId,
    gapMillis: 300,
    take: () => tenants.read(projectId, (db) => db.live.take()),
    read: (rows, listeners) =>
      Effect.tap(read(rows, listeners), (news) => Effect.sync(() => onCounts(listeners, news))),
    eventsFor: write,
    catchUp: (resumed: Resumed, upto) =>
      Effect.map(
        Effect.forEach(resumed, ({ listener, from }) =>
          Effect.map(read(rowsSince(from, upto), [listener]), (found) => [listener, write(found)] as const),
        ),
        (each) => new Map(each),
      ),
  }
}
