import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { makeAnswerTimer } from "../../../src/postgres/connections/answer-timer.ts"

describe("the time for answers", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("is over when an answer takes longer than its statement may", () => {
    const giveUp = vi.fn()
    makeAnswerTimer(10, giveUp).expect([100])
    vi.advanceTimersByTime(109)
    expect(giveUp).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(giveUp).toHaveBeenCalledOnce()
  })

  it("begins for each statement when the one before it is answered", () => {
    const giveUp = vi.fn()
    const timer = makeAnswerTimer(10, giveUp)
    timer.expect([100])
    timer.expect([50])
    vi.advanceTimersByTime(90)
    timer.answered()
    vi.advanceTimersByTime(59)
    expect(giveUp).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(giveUp).toHaveBeenCalledOnce()
  })

  it("is that of all together for statements that are answered together, unless one of them has no end", () => {
    const giveUp = vi.fn()
    const timer = makeAnswerTimer(10, giveUp)
    timer.expect([100, 50])
    timer.expect([100, 0])
    vi.advanceTimersByTime(159)
    timer.answered()
    vi.advanceTimersByTime(1_000_000)
    expect(giveUp).not.toHaveBeenCalled()
    timer.answered()
    timer.expect([100, 50])
    vi.advanceTimersByTime(160)
    expect(giveUp).toHaveBeenCalledOnce()
  })

  it("has no end where nothing waits for an answer, or where the statement has none", () => {
    const giveUp = vi.fn()
    const timer = makeAnswerTimer(10, giveUp)
    timer.expect([100])
    timer.answered()
    timer.expect([0])
    vi.advanceTimersByTime(1_000_000)
    expect(giveUp).not.toHaveBeenCalled()
  })
})
