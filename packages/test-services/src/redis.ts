/** A Redis of a test's own. */
export interface TestRedis {
  readonly url: string
  /** Starts it again at the same address, empty, after `stop`. */
  start(): Promise<void>
  /** Kills it, and waits until it is gone. */
  stop(): Promise<void>
  /** From now on it accepts connections and bytes, and answers nothing. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** A Redis that runs. */
export interface RunningRedis {
  readonly url: string
  kill(): Promise<void>
  freeze(): Promise<void>
  thaw(): Promise<void>
}

/** Starts a Redis that can be stopped and started again. Each `launch` runs an empty one at the same address. */
export const restartableRedis = async (launch: () => Promise<RunningRedis>): Promise<TestRedis> => {
  const first = await launch()
  let running: RunningRedis | null = first
  return {
    url: first.url,
    start: async () => {
      running = await launch()
    },
    stop: async () => {
      const stopped = running
      running = null
      await stopped?.kill()
    },
    freeze: async () => running?.freeze(),
    thaw: async () => running?.thaw(),
  }
}
