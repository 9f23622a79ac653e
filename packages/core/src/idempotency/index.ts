export { answerOnce, IdempotencyKey, type IdempotentCall } from "./answer-once.ts"
export { IdempotencyKeyReused } from "./failures.ts"
export type { AnswerKey, IdempotencyDb, IdempotentAnswers, KeptAnswer } from "./port.ts"
