import { DeadLetter, type DeadLetters, isToTry } from "@hearth/core/background"
import { Effect, Option } from "effect"
import { keep } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { columnOf, insertRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { pageOf, select, sliceAfter, sorted } from "../memory/table.ts"

/** What could not be handled. */
export const deadLetterShape = describeTable("dead letters", DeadLetter, {
  unique: [["event_id"]],
  parents: { event_id: "events", app_user_id: "users" },
})

const newestFirst = [
  ["first_failed_at", "desc"],
  ["id", "desc"],
] as const

const ofStatus = (draft: Draft, status: DeadLetter["status"] | null) =>
  select(draft, deadLetterShape, status === null ? {} : { status })

const letters = (draft: Draft) => [...rowsOf(draft, deadLetterShape).values()]

const awaiting = (draft: Draft, topics: ReadonlyArray<string>) =>
  letters(draft).filter(
    ({ event_id, status, topic }) =>
      status === "retrying" && (event_id !== null || (topic !== null && topics.includes(topic))),
  )

/** What could not be handled in a project. */
export const memoryDeadLetters = (statements: Statements): DeadLetters => {
  const byId = (draft: Draft, id: string) =>
    rowsOf(draft, deadLetterShape).get(keep(columnOf(deadLetterShape, "id"), id) as string)
  const change = (id: string, next: (letter: DeadLetter) => DeadLetter) => (draft: Draft) => {
    const present = byId(draft, id)
    if (present !== undefined) replaceRow(draft, deadLetterShape, present, next(present))
    return present === undefined ? 0 : 1
  }
  return {
    insert: (letter) => statements.change((draft) => void insertRow(draft, deadLetterShape, letter)),
    find: (id) =>
      Effect.map(
        statements.query((draft) => byId(draft, id)),
        Option.fromUndefinedOr,
      ),
    page: (status, slice) =>
      statements.query((draft) => pageOf(sorted(deadLetterShape, ofStatus(draft, status), newestFirst), slice)),
    listAfter: (status, { at, id }, slice) =>
      statements.query((draft) =>
        sliceAfter(deadLetterShape, ofStatus(draft, status), newestFirst, { first_failed_at: at, id }, slice),
      ),
    nextDue: (now, topics) =>
      Effect.map(
        statements.query((draft) => {
          const due = awaiting(draft, topics).filter(
            ({ next_try_at }) => next_try_at !== null && isToTry(next_try_at, now),
          )
          return sorted(deadLetterShape, due, [["first_failed_at", "asc"]])[0]
        }),
        Option.fromUndefinedOr,
      ),
    nextTryAt: (topics) =>
      statements.query(
        (draft) => sorted(deadLetterShape, awaiting(draft, topics), [["next_try_at", "asc"]])[0]?.next_try_at ?? null,
      ),
    save: ({ id, reaction, error, status, tries, next_try_at }, before) =>
      statements.change((draft) => {
        if (byId(draft, id)?.tries !== before) return false
        return change(id, (letter) => ({ ...letter, reaction, error, status, tries, next_try_at }))(draft) > 0
      }),
    retry: (which, now) =>
      statements.change((draft) => {
        const chosen = sorted(deadLetterShape, letters(draft), []).filter(({ id, reaction }) =>
          "id" in which ? id === which.id : which.reaction === null || which.reaction === reaction,
        )
        for (const { id } of chosen) {
          change(id, (letter) => ({ ...letter, status: "retrying", tries: 0, next_try_at: now }))(draft)
        }
        return chosen.length
      }),
    remove: (id) =>
      statements.change((draft) => {
        const present = byId(draft, id)
        if (present !== undefined) removeRow(draft, deadLetterShape, present)
        return present !== undefined
      }),
    countSince: (reaction, since) =>
      statements.query(
        (draft) =>
          letters(draft).filter((letter) => letter.reaction === reaction && letter.first_failed_at >= since).length,
      ),
  }
}
