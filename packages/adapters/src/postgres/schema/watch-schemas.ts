import type { Behind, Hindrance, TenantSchemas } from "./tenant-schemas.ts"

/** Told of what went well. */
export type OnProgress = (message: string, facts: Readonly<Record<string, string | number>>) => void

/** Told of what an operator should know: what it is, why, and which project it concerns. */
export type OnWarning = (message: string, cause: unknown, facts?: { readonly project_id: string }) => void

/** How far the schemas of the projects' databases are. */
export interface SchemaFigures {
  readonly current: number
  /** Those that are not up to date, by what keeps them from it. One that lacks only indexes is used all the same. */
  readonly behind: Readonly<Record<Hindrance, number>>
  /** A few that are not up to date and not just waiting: those that an operator has to look at. */
  readonly examples: ReadonlyArray<{ readonly database: string; readonly hindrance: Hindrance }>
}

/** What brings databases up to date before anybody uses them. */
export interface SchemaWatch {
  /** Begins to look, now and every `lookMillis`. */
  readonly start: () => void
  /** Begins no further try, and waits up to `millis` for those under way. What they have not committed is rolled back. */
  readonly stop: (millis: number) => Promise<void>
  readonly figures: () => SchemaFigures
}

/** How it looks. */
export interface SchemaWatchOptions {
  /** In milliseconds. What failed is tried again at every look, and not before. */
  readonly lookMillis: number
  /** Called before each look; makes the template. A failure is reported. */
  readonly prepare: () => Promise<void>
  /** Called with how far it is, when it begins, now and then, and when it is done. */
  readonly onProgress: OnProgress
  readonly onWarning: OnWarning
}

// A migration is a series of round trips: four at once keep the server busy, eight are no faster.
const atOnce = 4
const exampleCount = 10
const progressMillis = 10_000

/** Counts what keeps databases from being up to date. */
const countBehind = (behind: ReadonlyMap<string, Behind>): SchemaFigures["behind"] => {
  const counts = { waiting: 0, failing: 0, "too-new": 0, empty: 0 }
  for (const { hindrance } of behind.values()) counts[hindrance] += 1
  return counts
}

/** Brings the databases up to date that are not, a few at a time, those first that were never tried. */
export const watchSchemas = (schemas: TenantSchemas, options: SchemaWatchOptions): SchemaWatch => {
  const { lookMillis, prepare, onProgress, onWarning } = options
  let queue: Array<string> = []
  let active = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let pass = { began: 0, reported: 0, tried: 0, isNews: false }

  const report = (message: string) => {
    const now = performance.now()
    pass.reported = now
    onProgress(message, {
      ...countBehind(schemas.behind),
      current: schemas.countCurrent(),
      tried: pass.tried,
      seconds: Math.round((now - pass.began) / 1000),
    })
  }

  const pump = () => {
    while (!isStopped && active < atOnce && queue.length > 0) {
      const database = queue.shift() ?? ""
      // Somebody was faster.
      if (!schemas.behind.has(database) || schemas.isRunning(database)) continue
      active += 1
      void schemas.bringUpToDate(database).changed.finally(() => {
        active -= 1
        pass.tried += 1
        pump()
        if (!pass.isNews) return
        if (active === 0 && queue.length === 0) {
          report("every database of a project that is not up to date was tried")
          pass.isNews = false
        } else if (performance.now() - pass.reported > progressMillis) {
          report("the databases of projects are being brought up to date")
        }
      })
    }
  }

  // Half of the time: what was tried a moment after a look is due at the next one.
  const isDue = ({ hindrance, triedAt }: Behind, now: number) =>
    hindrance !== "too-new" && (triedAt === null || now - triedAt >= lookMillis / 2)

  let looking: Promise<void> = Promise.resolve()

  const look = async () => {
    try {
      await schemas.lookAtAll()
      const now = performance.now()
      const due = [...schemas.behind].filter(([name, found]) => isDue(found, now) && !schemas.isRunning(name))
      queue = due.sort(([, a], [, b]) => (a.triedAt ?? 0) - (b.triedAt ?? 0)).map(([name]) => name)
      // What fails again and again is not news.
      if (due.some(([, { triedAt }]) => triedAt === null) && active === 0) {
        pass = { began: now, reported: now, tried: 0, isNews: true }
        report("the databases of projects are brought up to date")
      }
      pump()
      await prepare()
    } catch (error) {
      if (!isStopped) onWarning("The schemas of the databases could not be looked at.", error)
    }
    if (!isStopped) lookIn(lookMillis)
  }

  const lookIn = (millis: number) => {
    timer = setTimeout(() => {
      looking = look()
    }, millis)
  }

  return {
    start: () => {
      if (timer === undefined && !isStopped) lookIn(0)
    },
    stop: async (millis) => {
      isStopped = true
      clearTimeout(timer)
      const patience = Promise.withResolvers<void>()
      const late = setTimeout(patience.resolve, millis)
      await Promise.race([Promise.all([schemas.settle(), looking]), patience.promise])
      clearTimeout(late)
    },
    figures: () => ({
      current: schemas.countCurrent(),
      behind: countBehind(schemas.behind),
      examples: [...schemas.behind]
        .filter(([, { hindrance }]) => hindrance !== "waiting")
        .slice(0, exampleCount)
        .map(([database, { hindrance }]) => ({ database, hindrance })),
    }),
  }
}
