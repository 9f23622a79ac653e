import { Effect, Struct } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidInput, LimitReached, NotFound, TenantBusy } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { UsersDb } from "../users/port.ts"
import { readCustomEvent } from "./custom-event.ts"
import type {
  AdminLeaderboardRank,
  Leaderboard,
  LeaderboardChanges,
  LeaderboardRank,
  LeaderboardRow,
  NewLeaderboard,
  OwnLeaderboard,
} from "./leaderboard.ts"
import type { LeaderboardsDb } from "./port.ts"
import type { RankPosition } from "./rank-cursor.ts"
import { leaveToRebuild } from "./rebuild.ts"
import { findWindow, readWindow } from "./windows.ts"

/** The most leaderboards of a project [G0.6]. */
const maxBoards = 100

/** Which part of a leaderboard is asked for; `at` is now where left out [G3.3]. */
export interface RanksQuery extends Slice {
  readonly at?: Date
  readonly around?: "me"
}

/** Which entries a developer asks for. */
export interface EntriesQuery extends Slice {
  readonly at?: Date
  /** Reads on after this position, or from `start`: then the answer has `next_cursor`, null at the end. */
  readonly cursor?: RankPosition | "start"
}

type LeaderboardsPorts = Pick<Ports<BackgroundDb & EventsDb & LeaderboardsDb & UsersDb>, "clock" | "ids" | "tenants">

const show = (row: LeaderboardRow): Leaderboard => Struct.omit(row, ["version", "filled_through"])

const scoring = ["metric", "period", "custom_event"] as const

const invalid = (message: string) => new InvalidInput({ issues: [{ path: "custom_event", message }] })

/** Refuses a `custom_event` that does not fit the metric [G3.1]. */
const checkCustomEvent = ({ metric, custom_event }: Pick<Leaderboard, "metric" | "custom_event">) => {
  if (metric !== "custom")
    return custom_event === null
      ? Effect.void
      : Effect.fail(invalid("must be null or left out unless the metric is custom"))
  if (custom_event === null) return Effect.fail(invalid("is required for the metric custom"))
  return readCustomEvent(custom_event) === null
    ? Effect.fail(invalid("must begin with the name of an event, of 1 to 255 characters"))
    : Effect.void
}

/** Leaderboards and their entries [E4, G3.1]. */
export const makeLeaderboards = (
  { clock, ids, tenants }: LeaderboardsPorts,
  background: Pick<Dispatcher<BackgroundDb & EventsDb & LeaderboardsDb & UsersDb>, "transact">,
) => {
  const find = (projectId: string, id: string) =>
    orFail(
      tenants.read(projectId, (db) => db.leaderboards.find({ id })),
      NotFound,
    )

  const readPage = Effect.fnUntraced(function* (
    projectId: string,
    board: LeaderboardRow,
    { at = clock.now(), around, ...slice }: RanksQuery,
    caller: string | null,
  ) {
    const window_start = findWindow(board.period, at)
    const query = { board, window_start, slice, caller, around: around !== undefined }
    const page = yield* tenants.read(projectId, (db) => db.leaderboardScores.page(query))
    const key = { leaderboard_id: board.id, window_start }
    return { ...page, rows: page.rows.map((row): LeaderboardRank => ({ ...key, ...row })) }
  })

  const readOn = Effect.fnUntraced(function* (
    projectId: string,
    board: LeaderboardRow,
    { at = clock.now(), cursor, ...slice }: EntriesQuery,
  ) {
    const after = cursor === undefined || cursor === "start" ? null : cursor
    const window_start = after?.window_start ?? findWindow(board.period, at)
    const query = { board, window_start, slice, after }
    const { rows, total, last } = yield* tenants.read(projectId, (db) => db.leaderboardScores.listAfter(query))
    const key = { leaderboard_id: board.id, window_start }
    const next_cursor: RankPosition | null =
      last === null || rows.length < slice.limit ? null : { ...last, window_start }
    return { rows: rows.map((row): LeaderboardRank => ({ ...key, ...row })), total, next_cursor }
  })

  return {
    /**
     * Creates a leaderboard. Scores of before are read from the log in the background [G3.4]. `INVALID_INPUT` where `custom_event` does
     * not go with the metric [G3.1]; `LIMIT_REACHED` over 100 of a project [G0.6].
     */
    create: Effect.fn("leaderboards.create")(function* (projectId: string, input: NewLeaderboard) {
      yield* checkCustomEvent(input)
      return yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          if ((yield* db.leaderboards.list({}, [])).length >= maxBoards)
            return yield* new LimitReached({ limit: maxBoards })
          const made = { id: ids.uuid(), created_at: clock.now(), is_active: true }
          const row: LeaderboardRow = { ...input, ...made, filling: true, version: 0, filled_through: null }
          yield* Effect.orDie(db.leaderboards.insert(row))
          yield* leaveToRebuild(db, row)
          return show(row)
        }),
        // Two at once would both count what is there before them.
        { alone: true },
      )
    }),

    /** All leaderboards, the oldest first [G3.1]. */
    list: (projectId: string, slice: Slice) =>
      Effect.map(
        tenants.read(projectId, (db) => db.leaderboards.page({}, [["created_at", "asc"]], slice)),
        ({ rows, total }) => ({ rows: rows.map(show), total }),
      ),

    /** One leaderboard [G3.1]. `NOT_FOUND`. */
    get: (projectId: string, id: string) => Effect.map(find(projectId, id), show),

    /**
     * Changes the fields that are given. Where what is ranked changes, it is filled again in the background [G3.4]. `NOT_FOUND`;
     * `INVALID_INPUT` where `custom_event` does not go with the metric.
     */
    update: Effect.fn("leaderboards.update")(function* (projectId: string, id: string, changes: LeaderboardChanges) {
      return yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const before = yield* orFail(db.leaderboards.lock(id), NotFound)
          const after = { ...before, ...changes }
          yield* checkCustomEvent(after)
          if (Object.keys(changes).length === 0) return show(before)
          const isRescored = scoring.some((field) => after[field] !== before[field])
          const anew = isRescored ? { filling: true, version: before.version + 1, filled_through: null } : {}
          const row = yield* orFail(Effect.orDie(db.leaderboards.update(id, { ...changes, ...anew })), NotFound)
          if (isRescored) yield* leaveToRebuild(db, row)
          return show(row)
        }),
        { alone: scoring.some((field) => field in changes) },
      )
    }),

    /** Removes a leaderboard with its entries. Nothing happens where there is none (spec: admin plane, leaderboards). */
    remove: (projectId: string, id: string) =>
      // Reactions lock entries before their leaderboard, so they are kept out.
      background.transact(projectId, (db) => db.leaderboards.remove({ id }), { alone: true }),

    /**
     * A page of entries by rank, and how many there are [spec: admin plane, leaderboards]. With a cursor the list is read on in the
     * window in which it was begun, after the score at which the page before ended, where that user is by now or not: scores that do not
     * change are listed once each. One that changes meanwhile may be passed over, where it rises from below the position to above it, or
     * listed twice, where it falls. Ranks and total are those of the instant at which their page is read. `NOT_FOUND`.
     */
    entries: Effect.fn("leaderboards.entries")(function* (projectId: string, id: string, query: EntriesQuery) {
      const board = yield* find(projectId, id)
      const isReadOn = query.cursor !== undefined
      const page = yield* isReadOn ? readOn(projectId, board, query) : readPage(projectId, board, query, null)
      const rows = page.rows.map(
        (row): AdminLeaderboardRank => ({ ...row, app_users: Struct.pick(row, ["display_name", "avatar_url"]) }),
      )
      return { rows, total: page.total, ...("next_cursor" in page ? { next_cursor: page.next_cursor } : {}) }
    }),

    /** Has all scores made again from the log [G3.6]. `NOT_FOUND`. */
    rebuild: Effect.fn("leaderboards.rebuild")(function* (projectId: string, id: string) {
      yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* leaveToRebuild(db, yield* orFail(db.leaderboards.lock(id), NotFound))
        }),
        // A handler that enters what is left of a rebuild must not do so beside this.
        { alone: true },
      )
      return { status: "rebuilding" as const }
    }),

    /**
     * How many entries a rebuild would change: none unless something is wrong [G3.6]. `NOT_FOUND`; `TENANT_BUSY` where it takes over 60
     * s.
     */
    countDifferences: Effect.fn("leaderboards.countDifferences")(function* (projectId: string, id: string) {
      const counted = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const board = yield* orFail(db.leaderboards.find({ id }), NotFound)
          return yield* db.leaderboardScores.countDifferences(board)
        }),
      )
      const differences = yield* Effect.catchDefect(counted, (defect) =>
        tenants.faultOf(defect) === "timeout" ? Effect.fail(new TenantBusy()) : Effect.die(defect),
      )
      return { differences }
    }),

    /** The active leaderboards with the bounds of their window at an instant, the oldest first [G3.5]. */
    shown: Effect.fn("leaderboards.shown")(function* (projectId: string, at: Date = clock.now()) {
      const rows = yield* tenants.read(projectId, (db) =>
        db.leaderboards.list({ is_active: true }, [["created_at", "asc"]]),
      )
      return rows.map((row): OwnLeaderboard => {
        const window = readWindow(row.period, at)
        return { ...show(row), window_start: window?.start ?? null, window_end: window?.end ?? null }
      })
    }),

    /** A page of entries, and where the caller stands [G3.5]. `NOT_FOUND`, also for one that is not active. */
    ranks: Effect.fn("leaderboards.ranks")(function* (
      projectId: string,
      userId: string,
      id: string,
      query: RanksQuery,
    ) {
      const board = yield* find(projectId, id)
      if (!board.is_active) return yield* new NotFound()
      const { rows, total, offset, me } = yield* readPage(projectId, board, query, userId)
      return { data: rows, total, offset, limit: query.limit, me }
    }),
  }
}
