import type { Answer } from "./answer.ts"
import type { Statement } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"
import { DatabaseBusy } from "./database-busy.ts"

interface Caller {
  readonly text: string
  readonly resolve: (instant: Date | null) => void
  readonly reject: (error: unknown) => void
}

type Run = (statement: Statement) => Promise<Answer>

/** What each of these queries answers, which are about one instant or none, by one statement. */
export const askInstants = async (run: Run, texts: ReadonlyArray<string>): Promise<ReadonlyArray<Date | null>> => {
  const { rows } = await run({
    text: `select ${texts.map((text, at) => `(${text}) as i${at}`).join(", ")}`,
    values: [],
  })
  const [row] = rows as ReadonlyArray<Readonly<Record<string, Date | null>>>
  return texts.map((_, at) => row?.[`i${at}`] ?? null)
}

// All of them stand for what the database could not do at all: to ask for each by itself would not help.
const concernsAll = (error: unknown) => error instanceof ConnectionLost || error instanceof DatabaseBusy

/**
 * Asks for instants, those of callers who come in the same moment in one statement. Each is answered, or fails, for itself: where the
 * statement fails, each query is run alone.
 */
export const shareInstants = (run: Run): ((text: string) => Promise<Date | null>) => {
  let waiting: Array<Caller> = []

  const askAll = async (callers: ReadonlyArray<Caller>): Promise<void> => {
    try {
      const instants = await askInstants(
        run,
        callers.map(({ text }) => text),
      )
      for (const [at, { resolve }] of callers.entries()) resolve(instants[at] ?? null)
    } catch (error) {
      if (callers.length === 1 || concernsAll(error)) for (const { reject } of callers) reject(error)
      else for (const caller of callers) await askAll([caller])
    }
  }

  const send = () => {
    const callers = waiting
    waiting = []
    void askAll(callers)
  }

  return (text) =>
    new Promise((resolve, reject) => {
      waiting.push({ text, resolve, reject })
      // After the callers who come in the same turn of the event loop.
      if (waiting.length === 1) setImmediate(send)
    })
}
