import { expect, it } from "vitest"
import { gatherAfter, maxBatch, nextBatchSize } from "./batch-size.ts"

it.each([
  { size: 200, millis: 501, next: 100 },
  { size: 100, millis: 501, next: 64 },
  { size: 64, millis: 501, next: 64 },
  { size: 3, millis: 501, next: 3 },
  { size: 64, millis: 2_001, next: 32 },
  { size: 1, millis: 60_000, next: 1 },
  { size: 1, millis: 500, next: 2 },
  { size: 63, millis: 200, next: 126 },
  { size: 64, millis: 200, next: 64 },
  { size: 100, millis: 500, next: 100 },
  { size: 100, millis: 200, next: 100 },
  { size: 100, millis: 100, next: 100 },
  { size: 100, millis: 99, next: 200 },
  { size: maxBatch, millis: 1, next: maxBatch },
  { size: maxBatch - 1, millis: 1, next: maxBatch },
])("a batch of $size events in $millis ms is followed by one of $next", ({ size, millis, next }) => {
  expect(nextBatchSize(size, millis)).toBe(next)
})

it.each([
  { batches: 4, events: 50, size: maxBatch, millis: 0 },
  { batches: 5, events: 50, size: maxBatch, millis: 50 },
  { batches: 50, events: 8, size: maxBatch, millis: 50 },
  { batches: 50, events: 7, size: maxBatch, millis: 0 },
  { batches: 50, events: 1_000, size: maxBatch, millis: 50 },
  { batches: 50, events: 1_001, size: maxBatch, millis: 0 },
  { batches: 50, events: 64, size: 64, millis: 0 },
  { batches: 50, events: 0, size: maxBatch, millis: 0 },
])(
  "after $batches batches, the last one $events of $size, $millis ms are waited",
  ({ batches, events, size, millis }) => {
    expect(gatherAfter(batches, events, size)).toBe(millis)
  },
)
