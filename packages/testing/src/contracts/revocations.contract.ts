import { randomUUID } from "node:crypto"
import type { RevocationSubscriber, Revocations } from "@hearth/core"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

/** Two processes of one installation. */
export interface RevocationsHarness {
  readonly processes: readonly [Revocations, Revocations]
  /** Cuts the second process off, until it has noticed. */
  readonly cut: () => Promise<void>
  /** Lets the second process hear again. */
  readonly heal: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Records what a subscriber is told. */
const makeRecorder = () => {
  const heard = new Set<string>()
  let forgotAll = 0
  const subscriber: RevocationSubscriber = {
    forget: (ids) => {
      for (const id of ids) heard.add(id)
    },
    forgetAll: () => {
      forgotAll += 1
    },
  }
  return { subscriber, hears: (id: string) => heard.has(id), forgotAll: () => forgotAll }
}

/** What every `Revocations` promises. */
export const revocationsContract = (name: string, make: () => Promise<RevocationsHarness>) =>
  describe(`revocations: ${name}`, () => {
    let harness: RevocationsHarness
    beforeAll(async () => {
      harness = await make()
    })
    afterAll(() => harness?.close())

    const aSecond = { timeout: 1_000, interval: 10 }
    const subscribe = (revocations: Revocations) => {
      const recorder = makeRecorder()
      revocations.subscribe(recorder.subscriber)
      return recorder
    }
    const announce = (ids: ReadonlyArray<string>) => Effect.runSync(harness.processes[0].announce(ids))

    it("makes every subscriber of its own process forget at once", () => {
      const recorders = [subscribe(harness.processes[0]), subscribe(harness.processes[0])]
      const id = randomUUID()
      announce([id])
      expect(recorders.map(({ hears }) => hears(id))).toEqual([true, true])
    })

    it("tells another process within a second", async () => {
      const recorder = subscribe(harness.processes[1])
      const ids = [randomUUID(), randomUUID()]
      announce(ids)
      await expect.poll(() => ids.every(recorder.hears), aSecond).toBe(true)
      expect(recorder.hears(randomUUID())).toBe(false)
    })

    it("tells it of all of many changes at once", async () => {
      const recorder = subscribe(harness.processes[1])
      const ids = Array.from({ length: 2_500 }, () => randomUUID())
      for (const id of ids) announce([id])
      await expect.poll(() => ids.every(recorder.hears), aSecond).toBe(true)
    })

    it("says that it does not hear, and forgets everything when it hears again", async () => {
      const [, other] = harness.processes
      const recorder = subscribe(other)
      expect(other.isHearing()).toBe(true)
      await harness.cut()
      expect(other.isHearing()).toBe(false)
      announce([randomUUID()])
      await harness.heal()
      expect([other.isHearing(), recorder.forgotAll()]).toEqual([true, 1])
      const id = randomUUID()
      announce([id])
      await expect.poll(() => recorder.hears(id), aSecond).toBe(true)
    })
  })
