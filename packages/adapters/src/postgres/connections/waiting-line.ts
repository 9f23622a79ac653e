/** Callers who wait for something, in the order in which they came. */
export interface WaitingLine<A> {
  readonly length: () => number
  /** Waits for at most so many milliseconds, and then rejects with what `late` answers. */
  readonly join: (millis: number, late: () => Error) => Promise<A>
  /** Gives `value` to the first in line. False when nobody waits. */
  readonly serve: (value: A) => boolean
  /** Sends everybody away. */
  readonly refuse: (error: unknown) => void
}

interface Waiter<A> {
  readonly resolve: (value: A) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A line without anybody in it. */
export const makeWaitingLine = <A>(): WaitingLine<A> => {
  const waiting = new Set<Waiter<A>>()
  const leave = (waiter: Waiter<A>) => {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
  }
  return {
    length: () => waiting.size,
    join: (millis, late) =>
      new Promise<A>((resolve, reject) => {
        const timer = setTimeout(() => {
          leave(waiter)
          reject(late())
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
    refuse: (error) => {
      for (const waiter of waiting) {
        leave(waiter)
        waiter.reject(error)
      }
    },
  }
}
