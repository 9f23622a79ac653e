import { Effect, type Exit, Fiber } from "effect"
import type { Clock } from "../ports/clock.ts"
import type { Revocations } from "../ports/revocations.ts"

/** What a cache of look-ups is made of. */
export interface TtlCacheParts<A, E> {
  readonly clock: Clock
  readonly revocations: Revocations
  /** For how many milliseconds an answer is used, counted from the start of its look-up. */
  readonly millis: number
  readonly lookup: (key: string) => Effect.Effect<A, E>
  /** The ids, in lower case, whose revocation makes an answer void. */
  readonly dependsOn: (key: string, value: A) => ReadonlyArray<string>
}

// Beyond this many the oldest answers are dropped, so that made-up keys cannot fill the memory.
const capacity = 50_000
// Beyond this many revoked ids all answers are forgotten, which costs less than to keep the ids for ever.
const maxRevoked = 10_000
// Of a refusal, and of any answer while changes of other processes are not heard [B1].
const shortMillis = 1_000

/** What is remembered of a key. */
interface Known<A> {
  readonly asked: number
  readonly value: A
  /** How many of the changes that were heard are known not to concern it. */
  changes: number
}

/** When a look-up began: the time, and how many changes had been heard by then. */
interface Begun {
  readonly asked: number
  readonly changes: number
}

/**
 * A cache of `lookup` that forgets what is revoked. An answer whose look-up began before a change is not kept. Callers of one
 * key share a look-up, unless a change was heard since it began. Null and false are refusals, remembered for a second at most;
 * failures are not remembered. A caller who is interrupted leaves the look-up to the others.
 */
export const makeTtlCache = <A, E>({ clock, revocations, millis, lookup, dependsOn }: TtlCacheParts<A, E>) => {
  const answers = new Map<string, Known<A>>()
  const running = new Map<string, Begun & { readonly fiber: Fiber.Fiber<Exit.Exit<A, E>> }>()
  /** The change in which an id was last revoked. */
  const revoked = new Map<string, number>()
  let changes = 0
  let forgotten = 0

  const forgetAll = () => {
    changes += 1
    forgotten = changes
    answers.clear()
    revoked.clear()
  }
  const forget = (ids: ReadonlyArray<string>) => {
    changes += 1
    for (const id of ids) revoked.set(id.toLowerCase(), changes)
    if (revoked.size > maxRevoked) forgetAll()
  }
  revocations.subscribe({ forget, forgetAll })

  const isVoid = (key: string, value: A, since: number) =>
    since < forgotten || dependsOn(key, value).some((id) => (revoked.get(id) ?? 0) > since)

  // Whatever concerned it in the past would have made it void then: only changes since the last look count.
  const isCurrent = (key: string, known: Known<A>) => {
    if (known.changes === changes) return true
    if (isVoid(key, known.value, known.changes)) return false
    known.changes = changes
    return true
  }

  // An answer from the future is not fresh: the clock was set back, perhaps by hours.
  const isYoung = (asked: number, age: number) => {
    const now = clock.now().getTime()
    return now >= asked && now < asked + (revocations.isHearing() ? age : Math.min(age, shortMillis))
  }
  const ageOf = (value: A) => (value === null || value === false ? Math.min(millis, shortMillis) : millis)

  const remember = (key: string, value: A, begun: Begun) => {
    if (isVoid(key, value, begun.changes)) return
    answers.delete(key)
    answers.set(key, { ...begun, value })
    if (answers.size <= capacity) return
    const [oldest = ""] = answers.keys()
    answers.delete(oldest)
  }

  const start = (key: string) => {
    const begun = { asked: clock.now().getTime(), changes }
    const found = Effect.tap(lookup(key), (value) => Effect.sync(() => remember(key, value, begun)))
    // Detached, because it serves other callers too when this one is interrupted.
    return Effect.flatMap(Effect.forkDetach(Effect.exit(found)), (fiber) => {
      running.set(key, { ...begun, fiber })
      fiber.addObserver(() => {
        if (running.get(key)?.fiber === fiber) running.delete(key)
      })
      return answerOf(fiber)
    })
  }

  return {
    get: (key: string): Effect.Effect<A, E> =>
      Effect.suspend(() => {
        const known = answers.get(key)
        if (known !== undefined && isYoung(known.asked, ageOf(known.value)) && isCurrent(key, known))
          return Effect.succeed(known.value)
        const shared = running.get(key)
        if (shared !== undefined && shared.changes === changes && isYoung(shared.asked, millis))
          return answerOf(shared.fiber)
        return start(key)
      }),
  }
}

const answerOf = <A, E>(fiber: Fiber.Fiber<Exit.Exit<A, E>>) => Effect.flatMap(Fiber.join(fiber), (exit) => exit)
