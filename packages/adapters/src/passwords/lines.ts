import { HashingBusy } from "@hearth/core"
import { Effect } from "effect"

/** Runs work in its turn. Fails at once when the line is full. */
export type InTurn = <A>(work: () => Promise<A>) => Effect.Effect<A, HashingBusy>

interface Line {
  readonly waiting: Array<() => void>
  /** How many wait or run. */
  inside: number
}

/**
 * Lines that share `running` turns. A turn that is free goes to the next line in which somebody waits, so a full line costs
 * another one the time of one piece of work. A line holds `running` + `waiting` pieces, any more fail. Work that has begun is
 * not interrupted, since its thread is busy until it ends.
 */
export const makeLines = (running: number, waiting: number): (() => InTurn) => {
  const lines: Array<Line> = []
  let free = running

  const startNext = () => {
    while (free > 0) {
      const index = lines.findIndex((line) => line.waiting.length > 0)
      const line = lines[index]
      if (line === undefined) return
      // To the end: the others come first next time.
      lines.push(...lines.splice(index, 1))
      free -= 1
      line.waiting.shift()?.()
    }
  }
  const leave = (line: Line) => {
    line.inside -= 1
    startNext()
  }

  return () => {
    const line: Line = { waiting: [], inside: 0 }
    lines.push(line)
    return <A>(work: () => Promise<A>) =>
      Effect.suspend((): Effect.Effect<A, HashingBusy> => {
        if (line.inside >= running + waiting) return Effect.fail(new HashingBusy())
        line.inside += 1
        return Effect.callback<A>((resume) => {
          const { promise: ended, resolve: end } = Promise.withResolvers<void>()
          const begin = async () => {
            const outcome = await work().then(Effect.succeed, Effect.die)
            free += 1
            leave(line)
            end()
            resume(outcome)
          }
          line.waiting.push(begin)
          startNext()
          return Effect.suspend(() => {
            const place = line.waiting.indexOf(begin)
            if (place < 0) return Effect.promise(() => ended)
            line.waiting.splice(place, 1)
            leave(line)
            return Effect.void
          })
        })
      })
  }
}
