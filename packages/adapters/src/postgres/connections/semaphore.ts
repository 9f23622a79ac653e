/** A number of permits. Callers who find none wait in the order in which they came. */
export interface Semaphore {
  acquire(): Promise<void>
  release(): void
  /** For how many milliseconds the first caller has been waiting; 0 when nobody waits. */
  waitingMillis(): number
  /** How many permits are held. */
  acquired(): number
  /** Waits until no permit is held, for at most so many milliseconds. */
  whenAllReleased(millis: number): Promise<void>
}

/** A semaphore of so many permits. `onFull` is called whenever a caller begins to wait. */
export const makeSemaphore = (permits: number, onFull: () => void): Semaphore => {
  const queue: Array<{ readonly since: number; readonly resume: () => void }> = []
  const listeners = new Set<() => void>()
  let acquired = 0
  return {
    acquire: () => {
      if (acquired < permits) {
        acquired += 1
        return Promise.resolve()
      }
      return new Promise((resume) => {
        queue.push({ since: performance.now(), resume })
        onFull()
      })
    },
    release: () => {
      const next = queue.shift()
      if (next !== undefined) next.resume()
      else acquired -= 1
      if (acquired === 0) for (const listener of listeners) listener()
    },
    // A wait that has only just begun counts too.
    waitingMillis: () => (queue[0] === undefined ? 0 : Math.max(1, performance.now() - queue[0].since)),
    acquired: () => acquired,
    whenAllReleased: async (millis) => {
      if (acquired === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, millis)
      listeners.add(resolve)
      await promise
      listeners.delete(resolve)
      clearTimeout(timer)
    },
  }
}
