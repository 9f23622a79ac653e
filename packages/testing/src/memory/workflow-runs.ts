/** A start: the input as JSON, and the earliest time of the run in milliseconds. */
export interface Request {
  readonly input: string
  readonly dueAt: number
}

/** A run that waits, or that is running and may have a follow-up. */
export interface Run extends Request {
  readonly key: string
  readonly workflow: string
  readonly id: string
  readonly tries: number
  readonly running: boolean
  readonly followUp: Request | null
}

// The pauses of the queue without its jitter: 1 s, 2 s, 4 s …, ten tries.
const TRIES = 10
const pauseAfter = (tries: number) => 1000 * 2 ** (tries - 1)

/** The waiting and the running runs of a memory runner, each under a key of its own. */
export const memoryRuns = () => {
  const runs = new Map<string, Run>()
  const put = (key: string, workflow: string, id: string, request: Request) =>
    runs.set(key, { key, workflow, id, ...request, tries: 0, running: false, followUp: null })
  const change = (key: string, by: Partial<Run>) => {
    const run = runs.get(key)
    if (run !== undefined) runs.set(key, { ...run, ...by })
  }
  const end = (key: string) => {
    const run = runs.get(key)
    runs.delete(key)
    if (run?.followUp) put(key, run.workflow, run.id, run.followUp)
  }
  const waiting = () => [...runs.values()].filter((run) => !run.running)

  return {
    waiting,
    end,
    /** Adds a run, or a follow-up where one is running; does nothing where one waits. */
    enqueue: (key: string, workflow: string, id: string, request: Request) => {
      const run = runs.get(key)
      if (run === undefined) put(key, workflow, id, request)
      else if (run.running) change(key, { followUp: request })
    },
    cancel: (key: string) => {
      if (runs.get(key)?.running) change(key, { followUp: null })
      else runs.delete(key)
    },
    /** Marks the run that has been due for longest as running. */
    takeDue: (now: number, served: (workflow: string) => boolean): Run | null => {
      const first = waiting()
        .filter((run) => run.dueAt <= now && served(run.workflow))
        .reduce<Run | null>((a, b) => (a !== null && a.dueAt <= b.dueAt ? a : b), null)
      if (first !== null) change(first.key, { running: true })
      return first
    },
    /** Records a try that died or was interrupted: the next one is due after a pause, unless it was the last. */
    died: (run: Run, now: number) => {
      const tries = run.tries + 1
      if (tries < TRIES) change(run.key, { tries, running: false, dueAt: now + pauseAfter(tries) })
      else end(run.key)
    },
  }
}
