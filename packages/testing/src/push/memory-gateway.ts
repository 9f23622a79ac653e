import type { Clock } from "@hearth/core"
import { buildPayload, type PushAccount, type PushGateway, type PushMessage, type PushOutcome } from "@hearth/core/push"
import { Duration, Effect } from "effect"

/** A push that the gateway was asked for. */
export interface RecordedPush {
  readonly project_id: string
  readonly provider: PushAccount["provider"]
  /** The version of the account; null where the development gateway took it. */
  readonly version: string | null
  readonly message: PushMessage
  readonly at: Date
}

/** What becomes of a push; or an effect that says so, which may take its time, never end, or die as a process does. */
export type PushAnswer = PushOutcome | Effect.Effect<PushOutcome>

/** A gateway that sends nothing, records what it was asked for, and answers what it was told to. */
export interface MemoryPushGateway extends PushGateway {
  /** What it was asked for, the oldest first. What is too large is not among it. */
  readonly pushes: ReadonlyArray<RecordedPush>
  /** How often it was asked for a delivery: more than once is a push that was sent twice, unless all but the last were `retry`. */
  countCalls(deliveryId: string): number
  /** Pushes to that token get these answers, one after the other, and the last one from then on. Without answers: `sent` again. */
  answer(token: string, ...answers: ReadonlyArray<PushAnswer>): void
  /** Decides about every push for whose token nothing else is said; null or undefined for `sent`. */
  answerWith(decide: ((push: RecordedPush) => PushAnswer | null | undefined) | null): void
  /** From now on all answers take so long, in the time of the effect's clock. */
  delay(by: Duration.Input): void
  /** Whether there is a development gateway, as in an embedded service. There is one at first. */
  setDevelopment(on: boolean): void
}

const tooLarge: PushOutcome = { kind: "rejected", reason: "PayloadTooLarge" }
const unanswered: PushOutcome = { kind: "unknown", reason: "Timeout" }

/** The answers that were set for tokens and in general. */
const makeAnswers = () => {
  const byToken = new Map<string, ReadonlyArray<PushAnswer>>()
  let decide: ((push: RecordedPush) => PushAnswer | null | undefined) | null = null
  return {
    set: (token: string, answers: ReadonlyArray<PushAnswer>) => {
      if (answers.length === 0) byToken.delete(token)
      else byToken.set(token, answers)
    },
    setDefault: (next: typeof decide) => {
      decide = next
    },
    take: (push: RecordedPush): PushAnswer => {
      const { token, delivery_id } = push.message
      const [first, ...others] = byToken.get(token) ?? []
      if (first !== undefined && others.length > 0) byToken.set(token, others)
      return first ?? decide?.(push) ?? { kind: "sent", provider_message_id: `memory-${delivery_id}` }
    },
  }
}

/** A gateway that accepts every push until it is told otherwise. What takes 60 seconds is `unknown`, as with the real ones. */
export const memoryPushGateway = (clock: Clock): MemoryPushGateway => {
  const pushes: Array<RecordedPush> = []
  const calls = new Map<string, number>()
  const answers = makeAnswers()
  let pause = Duration.zero
  let develops = true

  const take = (of: Omit<RecordedPush, "message" | "at">, message: PushMessage): Effect.Effect<PushOutcome> => {
    const at = clock.now()
    if (buildPayload(of.provider, message, at) === null) return Effect.succeed(tooLarge)
    const push = { ...of, message: structuredClone(message), at }
    pushes.push(push)
    calls.set(message.delivery_id, (calls.get(message.delivery_id) ?? 0) + 1)
    const answer = answers.take(push)
    const plain = !Effect.isEffect(answer)
    if (plain && Duration.toMillis(pause) === 0) return Effect.succeed(answer)
    return Effect.sleep(pause).pipe(
      Effect.andThen(plain ? Effect.succeed(answer) : answer),
      Effect.timeoutOrElse({ duration: "60 seconds", orElse: () => Effect.succeed(unanswered) }),
    )
  }

  const takeAll = (of: Omit<RecordedPush, "message" | "at">, messages: ReadonlyArray<PushMessage>) =>
    Effect.suspend(() =>
      Effect.all(
        messages.map((message) => take(of, message)),
        { concurrency: "unbounded" },
      ),
    )

  return {
    pushes,
    countCalls: (deliveryId) => calls.get(deliveryId) ?? 0,
    answer: (token, ...given) => answers.set(token, given),
    answerWith: answers.setDefault,
    delay: (by) => {
      pause = Duration.fromInputUnsafe(by)
    },
    setDevelopment: (on) => {
      develops = on
    },
    send: ({ project_id, provider, version }, messages) => takeAll({ project_id, provider, version }, messages),
    get development() {
      return develops
        ? (project_id: string, provider: PushAccount["provider"], messages: ReadonlyArray<PushMessage>) =>
            takeAll({ project_id, provider, version: null }, messages)
        : null
    },
  }
}
