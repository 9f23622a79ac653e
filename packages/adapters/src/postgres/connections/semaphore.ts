/** A number of places. Whoever finds none free waits in line. */
export interface Slots {
  take(): Promise<void>
  give(): void
  /** For how many milliseconds the first in line has been waiting; 0 when nobody is. */
  pressure(): number
  taken(): number
  /** Waits until no place is taken, for at most so many milliseconds. */
  whenNoneTaken(millis: number): Promise<void>
}

/** `count` places. `onFull` is told whenever somebody begins to wait. */
export const makeSlots = (count: number, onFull: () => void): Slots => {
  const line: Array<{ readonly since: number; readonly enter: () => void }> = []
  const left = new Set<() => void>()
  let taken = 0
  return {
    take: () => {
      if (taken < count) {
        taken += 1
        return Promise.resolve()
      }
      return new Promise((enter) => {
        line.push({ since: performance.now(), enter })
        onFull()
      })
    },
    give: () => {
      const next = line.shift()
      if (next !== undefined) next.enter()
      else taken -= 1
      if (taken === 0) for (const tell of left) tell()
    },
    // A wait that has only just begun counts too.
    pressure: () => (line[0] === undefined ? 0 : Math.max(1, performance.now() - line[0].since)),
    taken: () => taken,
    whenNoneTaken: async (millis) => {
      if (taken === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, millis)
      left.add(resolve)
      await promise
      left.delete(resolve)
      clearTimeout(timer)
    },
  }
}
