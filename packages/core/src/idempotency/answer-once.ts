import { Effect, Option, Schema } from "effect"
import { jsonText } from "../exports/json-text.ts"
import { text } from "../schema.ts"
import { together } from "../together.ts"
import { IdempotencyKeyReused } from "./failures.ts"
import type { IdempotencyDb } from "./port.ts"

/** A key that makes a call safe to repeat: 1 to 255 characters [E5]. */
export const IdempotencyKey = text(1, 255)

/** A call that is answered once. */
export interface IdempotentCall<Answer> {
  /** What is called, for example `currencies.spend`. */
  readonly operation: string
  /** The user whose key it is, on the client plane. Null on the admin plane, where keys are those of the operation [G4.2]. */
  readonly caller: string | null
  /** Null where the caller named none: then nothing is kept. */
  readonly key: string | null
  /** What the caller asked for, as it was parsed. The order of keys does not count. */
  readonly input: Schema.Json
  /** The user whom the answer is about: it goes with them. `work` locks that user. */
  readonly owner: string | null
  /** How the answer is written and read. */
  readonly answer: Schema.ConstraintCodec<Answer, unknown>
  readonly now: Date
}

/**
 * Does what `answerOnce` does, for work that begins with `open`: that is sent together with the claim of the key. It only locks
 * and reads, because what it answers is not used where the call was answered before.
 */
export const openAndAnswerOnce = <Opened, Answer, E>(
  db: IdempotencyDb,
  { operation, caller, key, input, owner, answer, now }: IdempotentCall<Answer>,
  open: Effect.Effect<Opened>,
  work: (opened: Opened) => Effect.Effect<Answer, E>,
): Effect.Effect<Answer, E | IdempotencyKeyReused> => {
  if (key === null) return Effect.flatMap(open, work)
  const name = { scope: caller === null ? operation : `user ${caller}`, key }
  const asked = jsonText([operation, input])
  return Effect.gen(function* () {
    const [kept, opened] = yield* together([db.idempotentAnswers.claim(name), open])
    if (Option.isSome(kept)) {
      if (kept.value.input !== asked) return yield* new IdempotencyKeyReused()
      return Schema.decodeUnknownSync(answer)(kept.value.data)
    }
    const result = yield* work(opened)
    const data = Schema.encodeSync(answer)(result) as Schema.Json
    yield* db.idempotentAnswers.keep(name, { input: asked, data }, owner, now)
    return result
  })
}

/**
 * Does `work` and keeps its answer, or answers what it answered under this key before, for as long as the owner exists [E5,
 * G4.2]. Of two calls at once the second waits for the first. Another operation or input under the same key fails. What fails
 * is not kept. In the order of locks the key comes after the hold and before users, so call it first in a transaction.
 */
export const answerOnce = <Answer, E>(
  db: IdempotencyDb,
  call: IdempotentCall<Answer>,
  work: Effect.Effect<Answer, E>,
): Effect.Effect<Answer, E | IdempotencyKeyReused> => openAndAnswerOnce(db, call, Effect.void, () => work)
