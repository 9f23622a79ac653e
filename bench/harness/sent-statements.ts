import pg from "pg"

/** A statement that was sent, and in which round trip: several are sent in one where nobody waits for an answer between them. */
export interface SentStatement {
  readonly trip: number
  readonly text: string
}

interface Sending {
  readonly text: string
  callback: (...answer: ReadonlyArray<unknown>) => void
}

// What the driver does with each statement, one of several that are sent together too.
const statements = (pg.Query as unknown as { prototype: { submit(this: Sending, connection: object): unknown } })
  .prototype

/** The statements that `work` sends to PostgreSQL, in their order. Nothing else may use PostgreSQL in this process meanwhile. */
export const recordStatements = async (work: () => Promise<unknown>): Promise<ReadonlyArray<SentStatement>> => {
  const sent: Array<SentStatement> = []
  let [trip, unanswered] = [0, 0]
  const { submit } = statements
  statements.submit = function (connection) {
    if (unanswered === 0) trip += 1
    unanswered += 1
    sent.push({ trip, text: this.text })
    const { callback } = this
    this.callback = (...answer) => {
      unanswered -= 1
      callback(...answer)
    }
    return Reflect.apply(submit, this, [connection])
  }
  try {
    await work()
  } finally {
    statements.submit = submit
  }
  return sent
}

/** How often `work` waits for PostgreSQL. */
export const countRoundTrips = (sent: ReadonlyArray<SentStatement>): number => sent.at(-1)?.trip ?? 0
