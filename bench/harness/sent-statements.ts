import pg from "pg"

/** A statement that was sent, and in which round trip: several are sent in one where nobody waits for an answer between them. */
export interface SentStatement {
  readonly trip: number
  readonly text: string
}

/** The statements that `work` sends to PostgreSQL, in their order. Nothing else may use PostgreSQL in this process meanwhile. */
export const recordStatements = async (work: () => Promise<unknown>): Promise<ReadonlyArray<SentStatement>> => {
  const sent: Array<SentStatement> = []
  let [trip, unanswered] = [0, 0]
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: ReadonlyArray<unknown>) {
    if (unanswered === 0) trip += 1
    unanswered += 1
    const statement = given[0] as { readonly text: string; callback?: (...answer: ReadonlyArray<unknown>) => void }
    sent.push({ trip, text: statement.text })
    const note = () => {
      unanswered -= 1
    }
    const { callback } = statement
    if (callback !== undefined) {
      statement.callback = (...answer) => {
        note()
        callback(...answer)
      }
    }
    const answer = Reflect.apply(query, this, given) as Promise<unknown>
    if (callback === undefined) answer.then(note, note)
    return answer
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

/** How often `work` waits for PostgreSQL. */
export const countRoundTrips = (sent: ReadonlyArray<SentStatement>): number => sent.at(-1)?.trip ?? 0
