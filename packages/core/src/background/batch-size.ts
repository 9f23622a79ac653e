/** The most events that are handled in one transaction. */
export const maxBatch = 2_000

/** The most bytes of JSON that are read for one transaction, in whole entries. */
export const maxBatchBytes = 4 * 1024 * 1024

// A batch aims at 200 ms: that long the others who need the project's hold wait for it.
const tooSlowMillis = 500
const fastMillis = 100

/** The size of the next batch after one of `size` events took `millis`: half when that was too long, twice when it was short. */
export const nextBatchSize = (size: number, millis: number): number => {
  if (millis > tooSlowMillis) return Math.max(1, Math.floor(size / 2))
  return millis < fastMillis ? Math.min(maxBatch, size * 2) : size
}
