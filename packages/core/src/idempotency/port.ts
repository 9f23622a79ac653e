import type { Effect, Option, Schema } from "effect"

/** The name of an answer: a key, and among whose keys it is. */
export interface AnswerKey {
  readonly scope: string
  readonly key: string
}

/** An answer that was kept, with the input that it answers. */
export interface KeptAnswer {
  readonly input: string
  readonly data: Schema.Json
}

/** What calls with an idempotency key were answered. Unique: (`scope`, `key`). Gone with the user whom an answer is about. */
export interface IdempotentAnswers {
  /**
   * Claims a key until this transaction ends, and answers what is kept under it. Where another transaction has claimed it, this
   * waits for that one's end. Nothing is written. It is asked for after the hold and before any row.
   */
  claim(key: AnswerKey): Effect.Effect<Option.Option<KeptAnswer>>
  /** Keeps the answer under a claimed key that had none. `owner` is the user whom it is about: the caller has locked that user. */
  keep(key: AnswerKey, answer: KeptAnswer, owner: string | null, now: Date): Effect.Effect<void>
}

/** What a project's database has for idempotency. */
export interface IdempotencyDb {
  readonly idempotentAnswers: IdempotentAnswers
}
