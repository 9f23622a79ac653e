import { ServiceUnavailable } from "@hearth/core"
import type { Refused } from "@hearth/core/refusals"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { startRefusalWriter } from "../../src/write-refusals.ts"

const refused: Refused = {
  ...{ project_id: crypto.randomUUID(), caller: "app", method: "GET", path: "/v1/client/streaks", status: 401 },
  ...{ code: "INVALID_TOKEN", message: "The token is not valid.", request_id: "one" },
}

describe("the writer of refused calls", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = (outcome: () => Effect.Effect<void>) => {
    const seen = { noted: 0, written: 0, warned: 0 }
    const refusals = {
      note: () => {
        seen.noted += 1
      },
      write: () =>
        Effect.suspend(() => {
          seen.written += 1
          return outcome()
        }),
      list: () => Effect.succeed({ rows: [], total: 0 }),
    }
    const log = () => {
      seen.warned += 1
    }
    return { seen, writer: startRefusalWriter(refusals, log) }
  }

  it("writes those of some seconds together, and nothing while there are none", async () => {
    const { seen, writer } = start(() => Effect.void)
    for (let n = 0; n < 100; n += 1) writer.note(refused)
    expect(seen).toEqual({ noted: 100, written: 0, warned: 0 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ noted: 100, written: 1, warned: 0 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it("tries again while the database is away, and says what it had to give up", async () => {
    const outcomes = [Effect.die(new ServiceUnavailable()), Effect.die(new ServiceUnavailable()), Effect.die("broken")]
    const { seen, writer } = start(() => outcomes.shift() ?? Effect.void)
    writer.note(refused)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual({ noted: 1, written: 3, warned: 1 })
  })

  it("writes what is left when it stops, and waits for nothing then", async () => {
    const { seen, writer } = start(() => Effect.die(new ServiceUnavailable()))
    writer.note(refused)
    await writer.stop()
    expect([seen.written, vi.getTimerCount()]).toEqual([1, 0])
  })
})
