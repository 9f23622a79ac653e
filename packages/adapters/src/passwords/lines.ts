import { HashingBusy } from "@hearth/core"
import { Effect } from "effect"

/** Runs work in its turn. Fails at once when the line is full. */
export type InTurn = <A>(work: () => Promise<A>) => Effect.Effect<A, HashingBusy>

interface Line {
  readonly waiting: Array<() => void>
  /** How many wait or run. */
  inside: number
}

/** The lines of a plane by their names. The one whose turn is next comes first. */
type Plane = Map<string, Line>

const findNext = (plane: Plane) => [...plane].find(([, line]) => line.waiting.length > 0)

/**
 * Planes of lines that share `running` turns. A turn that is free goes to the next plane in which somebody waits, and there to the next
 * such line, so a full line costs another one the time of one piece of work. A line holds `running` + `waiting` pieces, any more fail.
 * Work that has begun is not interrupted, since its thread is busy until it ends.
 */
export const makeLines = (running: number, waiting: number): (() => (name: string) => InTurn) => {
  const planes: Array<Plane> = []
  let free = running

  const startNext = () => {
    while (free > 0) {
      const index = planes.findIndex((each) => findNext(each) !== undefined)
      const plane = planes[index]
      const next = plane === undefined ? undefined : findNext(plane)
      if (plane === undefined || next === undefined) return
      // To the end, both: the others come first next time.
      planes.push(...planes.splice(index, 1))
      const [name, line] = next
      plane.delete(name)
      plane.set(name, line)
      free -= 1
      line.waiting.shift()?.()
    }
  }

  const openLine = (plane: Plane, name: string): Line => {
    const line = plane.get(name) ?? { waiting: [], inside: 0 }
    plane.set(name, line)
    return line
  }
  const leave = (plane: Plane, name: string, line: Line) => {
    line.inside -= 1
    if (line.inside === 0) plane.delete(name)
    startNext()
  }

  return () => {
    const plane: Plane = new Map()
    planes.push(plane)
    return (name) =>
      <A>(work: () => Promise<A>) =>
        Effect.suspend((): Effect.Effect<A, HashingBusy> => {
          const line = openLine(plane, name)
          if (line.inside >= running + waiting) return Effect.fail(new HashingBusy())
          line.inside += 1
          return Effect.callback<A>((resume) => {
            const { promise: ended, resolve: end } = Promise.withResolvers<void>()
            const begin = async () => {
              const outcome = await work().then(Effect.succeed, Effect.die)
              free += 1
              leave(plane, name, line)
              end()
              resume(outcome)
            }
            line.waiting.push(begin)
            startNext()
            return Effect.suspend(() => {
              const place = line.waiting.indexOf(begin)
              if (place < 0) return Effect.promise(() => ended)
              line.waiting.splice(place, 1)
              leave(plane, name, line)
              return Effect.void
            })
          })
        })
  }
}
