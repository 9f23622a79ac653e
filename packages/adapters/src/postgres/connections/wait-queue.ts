/** Callers who wait for a value, in the order in which they came. */
export interface WaitQueue<A> {
  readonly length: () => number
  /** Waits for at most so many milliseconds, and then rejects with what `timedOut` answers. */
  readonly wait: (millis: number, timedOut: () => Error) => Promise<A>
  /** Gives `value` to the first caller. False when nobody waits. */
  readonly serve: (value: A) => boolean
  /** Rejects every caller with `error`. */
  readonly rejectAll: (error: unknown) => void
}

interface Waiter<A> {
  readonly resolve: (value: A) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** An empty queue. */
export const makeWaitQueue = <A>(): WaitQueue<A> => {
  const waiting = new Set<Waiter<A>>()
  const leave = (waiter: Waiter<A>) => {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
  }
  return {
    length: () => waiting.size,
    wait: (millis, timedOut) =>
      new Promise<A>((resolve, reject) => {
        const timer = setTimeout(() => {
          leave(waiter)
          reject(timedOut())
        }, millis)
        const waiter = { resolve, reject, timer }
        waiting.add(waiter)
      }),
    serve: (value) => {
      const [first] = waiting
      if (first === undefined) return false
      leave(first)
      first.resolve(value)
      return true
    },
    rejectAll: (error) => {
      for (const waiter of waiting) {
        leave(waiter)
        waiter.reject(error)
      }
    },
  }
}
