/** The most events that are handled in one transaction. */
export const maxBatch = 2_000

/** The most bytes of JSON that are read for one transaction, in whole entries. */
export const maxBatchBytes = 4 * 1024 * 1024

// A batch aims at 200 ms: that long the others who need the project's hold wait for it.
const tooSlowMillis = 500
const fastMillis = 100
// Below this most of the time goes into round trips, so that a smaller batch takes as long: a slow machine would handle its
// events one by one, each as slowly as 64.
const leastBatch = 64
// A batch this slow is halved all the same: its events are heavy themselves.
const heavyMillis = 2_000

/**
 * The size of the next batch after one of `size` events took `millis`: half when that was too long, down to 64 or, for heavy
 * events, to 1; twice when it was short or the batch is smaller than 64.
 */
export const nextBatchSize = (size: number, millis: number): number => {
  const half = Math.max(1, Math.floor(size / 2))
  if (millis > heavyMillis) return half
  if (millis > tooSlowMillis) return Math.max(half, Math.min(size, leastBatch))
  return millis < fastMillis || size < leastBatch ? Math.min(maxBatch, size * 2) : size
}

// A batch takes as long as some 200 of its events, so handling what many send at once as it comes costs more than it does to take it in.
const promptBatches = 4
const gatherMillis = 50
// Fewer are what one user sends, who waits for what comes of it.
const leastOfMany = 8

/**
 * How long the next batch is waited for after `batches` since nothing waited, the last one of `events` where `size` were asked for. It
 * is 0 but where events keep coming from many: then they are gathered.
 */
export const gatherAfter = (batches: number, events: number, size: number): number =>
  batches > promptBatches && events >= leastOfMany && events <= size / 2 ? gatherMillis : 0
