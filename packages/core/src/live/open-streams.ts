import { Cause, Effect } from "effect"
import type { Failure, FailureKind } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { LiveCursor } from "./cursor.ts"
import { refuseAll, refuseProject, refuseStream } from "./failures.ts"
import type { ProjectCounts } from "./items.ts"
import type { Listener, Reader } from "./reader.ts"
import type { LiveSettings } from "./settings.ts"
import { type HeldBytes, type LiveStream, makeBeat, makeEvent, makeMailbox } from "./stream.ts"

// Proxies and phones give up connections that are silent for half a minute.
const beatMillis = 15_000
// While other processes cannot be heard, rights are believed for a second, and streams are looked at a little less often.
const deafMillis = 3_000
// So that a right that was taken away without a word does not hold for ever.
const trustMillis = 60_000
// For so long a right is believed that nobody can be asked about [B1]. Nothing can be read meanwhile either, as a rule.
const doubtMillis = 10_000
// Many rights at once, as after a change of a project, must not take all connections.
const checksAtOnce = 8
// What readers who do not take it leave in memory, all together.
const mostHeld = 64 * 1024 * 1024

/** Who wants a stream. */
export interface Opening {
  readonly projectId: string
  /** Whose it is, and of how many they may have. */
  readonly owner: string
  readonly most: number
  readonly userId: string
  /** The ids whose revocation may end it. */
  readonly dependsOn: ReadonlyArray<string>
  readonly expiresAt: Date
  readonly start: Listener["start"]
  /** Whether it is told every second how much there was. */
  readonly isCounted: boolean
}

interface Open extends Opening {
  readonly listener: Listener
  readonly mailbox: ReturnType<typeof makeMailbox>
  checkRight: Effect.Effect<unknown, unknown>
  cursor: LiveCursor | null
  beatAt: number
  checkedAt: number
  /** Since when nobody could be asked about its right. */
  doubtedSince: number | null
  counts: ProjectCounts
  wasCounted: boolean
}

const noCounts: ProjectCounts = { events: 0, effects: 0, dead_letters: 0 }

const away: ReadonlySet<FailureKind> = new Set(["unavailable", "upstream"])

/** Whether a check says that a right is gone, not that nobody can say it. */
const isRefusal = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && !away.has((reason.error as Partial<Failure>).kind ?? "internal"),
  )

const isNone = ({ events, effects, dead_letters }: ProjectCounts) => events + effects + dead_letters === 0

/** The streams of this process: how many there are, their signs of life, and their ends. */
export const makeOpenStreams = (ports: Pick<Ports, "clock" | "revocations">, settings: LiveSettings) => {
  const { clock, revocations } = ports
  const all = new Map<Listener, Open>()
  const openOf = new Map<string, number>()
  const perId = new Map<string, Set<Open>>()
  const ofAll: HeldBytes = { most: mostHeld, held: 0 }
  let isStopping = false
  let isTicking = false
  const doubtful = new Set<Open>()

  const now = () => clock.now().getTime()
  const count = (owner: string, by: number) => {
    const left = (openOf.get(owner) ?? 0) + by
    if (left === 0) openOf.delete(owner)
    else openOf.set(owner, left)
  }
  const index = (open: Open) => {
    for (const id of open.dependsOn) {
      const known = perId.get(id)
      if (known === undefined) perId.set(id, new Set([open]))
      else known.add(open)
    }
  }
  const forget = (open: Open) => {
    all.delete(open.listener)
    doubtful.delete(open)
    count(open.owner, -1)
    count(open.projectId, -1)
    for (const id of open.dependsOn) {
      const known = perId.get(id)
      known?.delete(open)
      if (known?.size === 0) perId.delete(id)
    }
  }

  /** Asks for the rights of all who may have lost them, some at a time. */
  const check = Effect.suspend(() => {
    const asked = [...doubtful]
    doubtful.clear()
    const each = (open: Open) =>
      Effect.matchCause(open.checkRight, {
        onSuccess: () => {
          open.checkedAt = now()
          open.doubtedSince = null
        },
        onFailure: (cause) => {
          const at = now()
          if (at >= open.expiresAt.getTime()) return open.mailbox.end("token_expired")
          if (isRefusal(cause)) return open.mailbox.end("revoked")
          open.doubtedSince ??= at
        },
      })
    return Effect.forEach(asked, each, { concurrency: checksAtOnce, discard: true })
  })

  let isChecking = false
  const checkSoon = () => {
    if (isChecking || doubtful.size === 0) return
    isChecking = true
    const again = Effect.sync(() => {
      isChecking = false
      checkSoon()
    })
    Effect.runFork(Effect.ensuring(check, again))
  }
  revocations.subscribe({
    forget: (ids) => {
      if (all.size === 0) return
      for (const id of ids) for (const open of perId.get(id.toLowerCase()) ?? []) doubtful.add(open)
      checkSoon()
    },
    forgetAll: () => {
      for (const open of all.values()) doubtful.add(open)
      checkSoon()
    },
  })

  const tell = (open: Open, at: number) => {
    if (!open.isCounted || (isNone(open.counts) && !open.wasCounted)) return
    open.wasCounted = !isNone(open.counts)
    open.mailbox.add([makeEvent("counters", { at: new Date(at).toISOString(), ...open.counts })])
    open.counts = noCounts
  }
  const tick = () => {
    const at = now()
    const trust = revocations.isHearing() ? trustMillis : deafMillis
    // Also where the clock was set back.
    const since = (before: number) => Math.abs(at - before)
    for (const open of all.values()) {
      if (at >= open.expiresAt.getTime()) {
        open.mailbox.end("token_expired")
        continue
      }
      tell(open, at)
      if (since(open.beatAt) >= beatMillis) {
        open.beatAt = at
        open.mailbox.add([makeBeat(open.cursor)])
      }
      if (open.doubtedSince !== null && since(open.doubtedSince) >= doubtMillis) {
        // Without a reason: who calls again is told what is the matter.
        open.mailbox.close()
        continue
      }
      if (since(open.checkedAt) >= (open.doubtedSince === null ? trust : deafMillis)) {
        open.checkedAt = at
        doubtful.add(open)
      }
    }
    checkSoon()
  }
  const ticking = Effect.gen(function* () {
    while (all.size > 0) {
      yield* Effect.sleep("1 second")
      tick()
    }
    isTicking = false
  })
  const startTicking = Effect.suspend(() => {
    if (isTicking) return Effect.void
    isTicking = true
    return Effect.asVoid(Effect.forkDetach(ticking))
  })

  const admit = (opening: Opening, reader: () => Reader): Open => {
    const listener: Listener = {
      userId: opening.userId,
      start: opening.start,
      take: (events, cursor) => {
        open.cursor = cursor
        open.mailbox.add(events)
      },
    }
    const mailbox = makeMailbox(() => {
      forget(open)
      reader().leave(listener)
    }, ofAll)
    const at = now()
    const open: Open = {
      ...opening,
      ...{ listener, mailbox, checkRight: Effect.void, cursor: null, beatAt: at },
      ...{ checkedAt: at, doubtedSince: null },
      ...{ counts: noCounts, wasCounted: false },
    }
    all.set(listener, open)
    count(opening.owner, 1)
    count(opening.projectId, 1)
    index(open)
    return open
  }

  return {
    /** Opens a stream that `findReader` answers the reader of, where there may be one more. */
    open: Effect.fnUntraced(function* (opening: Opening, findReader: () => Reader) {
      if (isStopping || all.size >= settings.per_process) return yield* refuseAll(isStopping)
      if ((openOf.get(opening.projectId) ?? 0) >= settings.per_project) return yield* refuseProject()
      if ((openOf.get(opening.owner) ?? 0) >= opening.most) return yield* refuseStream(opening.most)
      let reader: Reader | undefined
      const open = admit(opening, () => (reader ??= findReader()))
      reader = findReader()
      yield* reader.join(open.listener)
      yield* startTicking
      return {
        next: open.mailbox.next,
        close: open.mailbox.close,
        onCut: open.mailbox.onCut,
        guard: (checkRight) => {
          open.checkRight = checkRight
          // It may have been taken away before the stream was one of those that are told.
          doubtful.add(open)
          checkSoon()
        },
      } satisfies LiveStream
    }),
    /** Adds what a batch has to the counts of those who get it. */
    count: (listeners: ReadonlyArray<Listener>, { events, effects, dead_letters }: ProjectCounts) => {
      for (const listener of listeners) {
        const open = all.get(listener)
        if (open === undefined) continue
        open.counts = {
          events: open.counts.events + events,
          effects: open.counts.effects + effects,
          dead_letters: open.counts.dead_letters + dead_letters,
        }
      }
    },
    /** Ends all streams, and lets no more in: the service stops. */
    stop: () => {
      isStopping = true
      for (const open of [...all.values()]) open.mailbox.end("stopping")
    },
    size: () => all.size,
  }
}
