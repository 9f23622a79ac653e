import { describe, expect, it, test } from "vitest"
import type { PushProvider } from "../push-token.ts"
import type { ClaimedDelivery } from "./deliveries-port.ts"
import type { PushOutcome } from "./gateway.ts"
import { type AnsweredDelivery, judgeBatch, nextTryAt } from "./judge-batch.ts"

const now = new Date("2026-03-01T12:00:00.000Z")
const claimedAt = new Date("2026-03-01T11:59:59.000Z")
const least = () => 0
const most = (below: number) => below - 1
let count = 0

const answered = (outcome: PushOutcome, given: Partial<ClaimedDelivery> = {}): AnsweredDelivery => {
  count += 1
  const own = { id: `d${count}`, app_user_id: `u${count}`, push_token_id: `t${count}`, token: `token ${count}` }
  const times = { fire_at: now, try_at: now, claimed_at: claimedAt, tries: 1 }
  return {
    delivery: { ...own, ...times, provider: "push_a", display_name: "Ada", properties: {}, ...given },
    outcome,
  }
}
const sent: PushOutcome = { kind: "sent", provider_message_id: null }
const dead: PushOutcome = { kind: "dead_token", reason: "Unregistered", since: null }
const retry = (after_seconds: number | null): PushOutcome => ({ kind: "retry", reason: "Busy", after_seconds })
const times = (number: number, outcome: PushOutcome, provider: PushProvider = "push_a") =>
  Array.from({ length: number }, () => answered(outcome, { provider }))
const judge = (...batch: ReadonlyArray<AnsweredDelivery>) => judgeBatch(batch, now, least)

describe("when a delivery is tried again [E9]", () => {
  test.each([
    [1, 15],
    [2, 60],
    [3, 240],
    [4, 960],
    [5, 3_840],
    [6, 14_400],
    [7, 14_400],
  ])("after %i tries, %i seconds and up to half of that", (tries, seconds) => {
    const from = (random: (below: number) => number) =>
      (nextTryAt(tries, null, now, random).getTime() - now.getTime()) / 1_000
    expect([from(least), from(most)]).toEqual([seconds, seconds * 1.5])
  })
  test.each([
    [0, 0, 1],
    [1, 1, 2],
    [60, 60, 66],
    [3_600, 3_600, 3_960],
    [-5, 0, 1],
  ])("not before the %i seconds that the provider asks for", (after, earliest, latest) => {
    const from = (random: (below: number) => number) =>
      (nextTryAt(3, after, now, random).getTime() - now.getTime()) / 1_000
    expect([from(least), from(most)]).toEqual([earliest, latest])
  })
})

describe("what becomes of a delivery [E9]", () => {
  test.each<[string, PushOutcome, object]>([
    ["accepted", sent, { status: "sent", error: null }],
    ["dead", dead, { status: "failed", error: "Unregistered" }],
    ["rejected", { kind: "rejected", reason: "PayloadTooLarge" }, { status: "failed", error: "PayloadTooLarge" }],
    ["unknown", { kind: "unknown", reason: "Timeout" }, { status: "unknown", error: "Timeout" }],
    ["a bad payload", { kind: "bad_payload", reason: "BadTopic" }, { status: "failed", error: "BadTopic" }],
    ["misconfigured", { kind: "misconfigured", reason: "InvalidToken" }, { status: "failed", error: "InvalidToken" }],
  ])("that is %s", (_, outcome, expected) => {
    expect(judge(answered(outcome)).results).toMatchObject([{ ...expected, try_at: null }])
  })

  const result = (given: Partial<ClaimedDelivery>, after: number | null) =>
    judge(answered(retry(after), given)).results[0]
  it("that may be tried again is pending until then, seven times", () => {
    expect(result({ tries: 7 }, 60)).toMatchObject({
      ...{ status: "pending", error: "Busy", try_at: new Date(now.getTime() + 60_000) },
    })
    expect(result({ tries: 8 }, 60)).toMatchObject({ status: "failed", error: "Busy", try_at: null })
  })
  it("that would be tried again more than 24 hours after it was due has failed", () => {
    const day = 24 * 3_600
    expect(result({}, day)).toMatchObject({ status: "pending" })
    expect(result({}, day + 1)).toMatchObject({ status: "failed" })
    const yesterday = new Date(now.getTime() - day * 1_000)
    expect(result({ fire_at: yesterday }, 1)).toMatchObject({ status: "failed" })
  })
})

describe("dead devices [E9]", () => {
  it("are deactivated, unless they were registered since: after what the provider says, or else after the claim", () => {
    const since = new Date("2026-02-01T00:00:00.000Z")
    const told: PushOutcome = { kind: "dead_token", reason: "Unregistered", since }
    const verdict = judge(...times(9, sent), answered(told, { push_token_id: "a" }))
    expect(verdict.dead).toEqual([{ push_token_id: "a", reason: "Unregistered", since }])
    expect(judge(...times(9, sent), answered(dead)).dead).toMatchObject([{ since: claimedAt }])
  })

  const rejected: PushOutcome = { kind: "rejected", reason: "No" }
  test.each<[string, boolean, ReadonlyArray<AnsweredDelivery>]>([
    ["one of one", false, times(1, dead)],
    ["one of two", false, [...times(1, dead), ...times(1, sent)]],
    ["two of two", true, times(2, dead)],
    ["two of ten", false, [...times(2, dead), ...times(8, sent)]],
    ["two of nine", true, [...times(2, dead), ...times(7, sent)]],
    ["three of ten, others rejected", true, [...times(3, dead), ...times(7, rejected)]],
    ["two of ten, others rejected", false, [...times(2, dead), ...times(8, rejected)]],
    ["two of two answered, others to be tried again", true, [...times(2, dead), ...times(20, retry(1))]],
    ["100 of 500", false, [...times(100, dead), ...times(400, sent)]],
    ["101 of 500", true, [...times(101, dead), ...times(399, sent)]],
    ["all 20 of one provider among 480 of the other", true, [...times(20, dead), ...times(480, sent, "push_b")]],
    ["all 19 of one provider among 480 of the other", false, [...times(19, dead), ...times(480, sent, "push_b")]],
  ])("%s: our fault is %s", (_, isFault, batch) => {
    const { failure, dead: devices } = judge(...batch)
    expect(failure !== null).toBe(isFault)
    expect(devices.length > 0).toBe(!isFault)
  })
})

describe("a campaign [E9]", () => {
  test.each<[PushOutcome, RegExp]>([
    [{ kind: "misconfigured", reason: "InvalidProviderToken" }, /push_a refuses.*credentials.*InvalidProviderToken/],
    [{ kind: "bad_payload", reason: "INVALID_ARGUMENT" }, /push_a refuses the payload.*INVALID_ARGUMENT/],
  ])("fails for %o, and touches no device [H4.6]", (outcome, sentence) => {
    const { failure, dead: devices } = judge(...times(9, sent), answered(outcome), answered(dead))
    expect(failure).toMatch(sentence)
    expect(devices).toEqual([])
  })
  it("leaves a provider alone that wants most of a batch to be tried again", () => {
    const pauses = (retried: number, accepted: number) =>
      judge(...times(retried, retry(60)), ...times(accepted, sent), ...times(1, sent, "push_b")).pauses
    expect(pauses(5, 5)).toEqual(new Map())
    expect(pauses(6, 5)).toEqual(new Map([["push_a", new Date(now.getTime() + 60_000)]]))
  })
})

describe("dead devices of one user [E9]", () => {
  const junk = Array.from({ length: 20 }, () => answered(dead, { app_user_id: "hostile" }))

  it("do not fail a campaign to others, and go inactive", () => {
    const verdict = judge(...junk, ...times(30, sent))
    expect(verdict.failure).toBeNull()
    expect(verdict.dead).toHaveLength(20)
  })

  it("fail it with those of a fifth of the other users", () => {
    expect(judge(...junk, ...times(30, sent), ...times(8, dead)).failure).toContain("20 %")
  })

  it("fail a campaign to nobody else", () => {
    expect(judge(...junk).failure).toContain("20 %")
  })
})
