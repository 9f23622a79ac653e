export { type BatchNote, type BatchNotes, batchNote, makeBatchNotes } from "./batch-notes.ts"
export { maxBatch, maxBatchBytes, nextBatchSize } from "./batch-size.ts"
export { maxRows } from "./cut-batch.ts"
export { DeadLetter, DeadLetterStatus, errorText, isToTry, longestPauseMillis, nextTryAfter } from "./dead-letter.ts"
export {
  DeadLetterContent,
  DeadLetterView,
  type LetterQuery,
  LettersRetried,
  makeDeadLetters,
  RetryLetters,
} from "./dead-letters.ts"
export { type Dispatcher, makeDispatcher, type TransactOptions } from "./dispatcher.ts"
export type {
  BackgroundControlDb,
  BackgroundDb,
  DeadLetters,
  DueJob,
  IntroducedReactions,
  JobSchedule,
  Outbox,
  OutboxContent,
  OutboxEntry,
  OutboxEvents,
  OutboxHead,
  OutboxLimits,
  ProjectJobs,
  WorkerBeat,
  WorkerRegistry,
} from "./port.ts"
export type { React } from "./react.ts"
export type { EventHead, Reaction } from "./reaction.ts"
export { makeTurns, type Turn, type Turns } from "./turns.ts"
export { makeWaitingWork, WaitingWork } from "./waiting-work.ts"
export type { FeatureWork, OutboxHandler, ProjectJob, ProjectTask, SetAsideHandler } from "./work.ts"
