import { type DeadLetter, type DeadLetters, longestPauseMillis } from "@hearth/core/background"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"

const ofStatus = "($1::text is null or status = $1)"
const isDue = `status = 'retrying' and (event_id is not null or topic = any($1::text[]))`

/** What could not be handled in a project. */
export const makeDeadLetters = (statements: Statements, shape: TableShape): DeadLetters => {
  const columns = shape.columns.join(", ")
  const values = (letter: DeadLetter) =>
    shape.columns.map((column) => {
      const value = letter[column as keyof DeadLetter]
      return column === "payload" && value !== null ? JSON.stringify(value) : value
    })
  const first = (text: string, bound: ReadonlyArray<unknown>) =>
    Effect.map(statements.rows<DeadLetter>(text, bound), ([row]) => Option.fromNullishOr(row))
  const list = (where: string, bound: ReadonlyArray<unknown>) =>
    statements.rows<DeadLetter>(
      `select ${columns} from outbox_dead where ${ofStatus} and ${where}
       order by first_failed_at desc, id desc limit $2 offset $3`,
      bound,
    )
  return {
    insert: (letter) =>
      Effect.asVoid(
        statements.rows(
          `insert into outbox_dead (${columns}) values (${shape.columns.map((_, at) => `$${at + 1}`).join(", ")})`,
          values(letter),
        ),
      ),
    find: (id) => first(`select ${columns} from outbox_dead where id = $1`, [id]),
    page: Effect.fnUntraced(function* (status, { limit, offset }) {
      const rows = yield* list("true", [status, limit, offset])
      const [counted] = yield* statements.rows<{ readonly total: number }>(
        `select count(*)::int as total from outbox_dead where ${ofStatus}`,
        [status],
      )
      return { rows, total: counted?.total ?? 0 }
    }),
    listAfter: (status, { at, id }, { limit, offset }) =>
      list("(first_failed_at, id) < ($4, $5)", [status, limit, offset, at, id]),
    nextDue: (now, topics) =>
      first(
        `select ${columns} from outbox_dead where ${isDue} and (next_try_at <= $2 or next_try_at > $3)
         order by first_failed_at, id limit 1`,
        [topics, now, new Date(now.getTime() + longestPauseMillis)],
      ),
    nextTryAt: (topics) =>
      Effect.map(
        statements.rows<{ readonly at: Date | null }>(`select min(next_try_at) as at from outbox_dead where ${isDue}`, [
          topics,
        ]),
        ([row]) => row?.at ?? null,
      ),
    save: (letter, tries) =>
      Effect.map(
        statements.count(
          `update outbox_dead set reaction = $2, error = $3, status = $4, tries = $5, next_try_at = $6
           where id = $1 and tries = $7`,
          [letter.id, letter.reaction, letter.error, letter.status, letter.tries, letter.next_try_at, tries],
        ),
        (saved) => saved > 0,
      ),
    retry: (which, now) => {
      const again = `update outbox_dead set status = 'retrying', tries = 0, next_try_at = $2`
      return "id" in which
        ? statements.count(`${again} where id = $1`, [which.id, now])
        : // Locked by id, so that two calls at once wait for each other in one direction.
          statements.count(
            `${again} where id in (
               select id from outbox_dead where $1::text is null or reaction = $1 order by id for no key update
             )`,
            [which.reaction, now],
          )
    },
    remove: (id) =>
      Effect.map(statements.count(`delete from outbox_dead where id = $1`, [id]), (removed) => removed > 0),
    countSince: (reaction, since) =>
      Effect.map(
        statements.rows<{ readonly count: number }>(
          `select count(*)::int from outbox_dead where reaction = $1 and first_failed_at >= $2`,
          [reaction, since],
        ),
        ([row]) => row?.count ?? 0,
      ),
  }
}
