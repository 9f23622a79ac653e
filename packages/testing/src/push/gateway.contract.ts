import type { PushAccount, PushGateway, PushMessage, PushOutcome } from "@hearth/core/push"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { awkwardText } from "../contracts/awkward-values.ts"

/** A push as its device would get it. */
export interface ArrivedPush {
  readonly token: string
  readonly title: string
  readonly body: string
}

/** A gateway, and what arrives through it. */
export interface PushGatewayHarness {
  readonly send: (messages: ReadonlyArray<PushMessage>) => Promise<ReadonlyArray<PushOutcome>>
  /** What was accepted, in any order. */
  readonly arrived: () => ReadonlyArray<ArrivedPush>
  /** How often the provider was called for a delivery. */
  readonly countCalls: (deliveryId: string) => number
  readonly close: () => Promise<void>
}

/** What a provider does with pushes to a token. */
export type ProviderReaction =
  | "forgets the device"
  | "is busy for 7 seconds"
  | "does not answer"
  | "refuses the payload"
  | "refuses the account"

/** A gateway to a provider that a test can make react. */
export interface PushProviderHarness extends PushGatewayHarness {
  readonly react: (token: string, reaction: ProviderReaction) => void
}

let deliveries = 0

/** A push of a new delivery. */
export const aPushMessage = (changes: Partial<PushMessage> = {}): PushMessage => {
  deliveries += 1
  const digits = `${deliveries}`.padStart(12, "0")
  return {
    delivery_id: `0195a5c8-0000-7000-8000-${digits}`,
    token: `token-${digits}`,
    title: `Title ${deliveries}`,
    body: `Body ${deliveries}`,
    data: {},
    options: {},
    ...changes,
  }
}

/** The messages through one gateway, to one account. */
export const sendThrough = (gateway: PushGateway, account: PushAccount) => (messages: ReadonlyArray<PushMessage>) =>
  Effect.runPromise(gateway.send(account, messages))

const harnessOf = <H extends PushGatewayHarness>(make: () => H | Promise<H>): (() => H) => {
  let harness: H | undefined
  beforeEach(async () => {
    harness = await make()
  })
  afterEach(() => harness?.close())
  return () => {
    if (harness === undefined) throw new Error("There is no gateway outside of a test.")
    return harness
  }
}

const kinds = (outcomes: ReadonlyArray<PushOutcome>) => outcomes.map(({ kind }) => kind)
const shown = ({ token, title, body }: ArrivedPush): ArrivedPush => ({ token, title, body })
const byToken = (one: ArrivedPush, other: ArrivedPush) => one.token.localeCompare(other.token)

const reasonPattern = /^[A-Za-z0-9_.-]{1,64}$/

/** What every `PushGateway` promises about pushes that nobody refuses. */
export const pushGatewayContract = (name: string, make: () => PushGatewayHarness | Promise<PushGatewayHarness>) =>
  describe(`push gateway: ${name}`, () => {
    const harness = harnessOf(make)

    it("sends nothing where there is nothing", async () => {
      expect(await harness().send([])).toEqual([])
    })

    it("sends each message once, and answers in their order", async () => {
      const messages = Array.from({ length: 600 }, () => aPushMessage())
      const outcomes = await harness().send(messages)
      expect(new Set(kinds(outcomes))).toEqual(new Set(["sent"]))
      expect(outcomes).toHaveLength(600)
      expect(harness().arrived().toSorted(byToken)).toEqual(messages.map(shown).toSorted(byToken))
      expect(messages.map(({ delivery_id }) => harness().countCalls(delivery_id))).toEqual(messages.map(() => 1))
    })

    it("sends texts of all kinds unchanged", async () => {
      const texts = [awkwardText, '🦊 Grüße\n\tשלום \u2028 \\ " </script> %00 \u0007']
      const messages = texts.map((text) => aPushMessage({ title: text, body: text }))
      expect(kinds(await harness().send(messages))).toEqual(["sent", "sent"])
      expect(harness().arrived().toSorted(byToken)).toEqual(messages.map(shown).toSorted(byToken))
    })

    it("takes all options", async () => {
      const options = {
        sound: "ping",
        badge: 0,
        image_url: "https://x.example/ü.png",
        collapse_id: "ü🦊",
        ttl_seconds: 0,
      }
      expect(kinds(await harness().send([aPushMessage({ options })]))).toEqual(["sent"])
    })

    it("rejects a payload over 4,096 bytes without calling, and sends its neighbours [H4.3]", async () => {
      const large = aPushMessage({ data: { fill: "語".repeat(1_400) } })
      const messages = [aPushMessage(), large, aPushMessage()]
      const outcomes = await harness().send(messages)
      expect(kinds(outcomes)).toEqual(["sent", "rejected", "sent"])
      expect(outcomes[1]).toEqual({ kind: "rejected", reason: "PayloadTooLarge" })
      expect(harness().countCalls(large.delivery_id)).toBe(0)
    })

    it("sends two messages to the same device", async () => {
      const token = "the-same"
      expect(kinds(await harness().send([aPushMessage({ token }), aPushMessage({ token })]))).toEqual(["sent", "sent"])
      expect(harness().arrived()).toHaveLength(2)
    })

    it("sends batches side by side", async () => {
      const batches = Array.from({ length: 4 }, () => Array.from({ length: 50 }, () => aPushMessage()))
      const outcomes = await Promise.all(batches.map(harness().send))
      expect(outcomes.map((batch) => new Set(kinds(batch)))).toEqual(batches.map(() => new Set(["sent"])))
      expect(harness().arrived()).toHaveLength(200)
    })
  })

const EXPECTED: ReadonlyArray<readonly [ProviderReaction, PushOutcome["kind"]]> = [
  ["forgets the device", "dead_token"],
  ["is busy for 7 seconds", "retry"],
  ["does not answer", "unknown"],
  ["refuses the payload", "bad_payload"],
]

/** What every `PushGateway` to a provider promises about what becomes of pushes. */
export const pushOutcomesContract = (name: string, make: () => PushProviderHarness | Promise<PushProviderHarness>) =>
  describe(`outcomes of pushes: ${name}`, () => {
    const harness = harnessOf(make)

    it.each(EXPECTED)(
      "a provider that %s: %s, for that push only, which it was asked for once",
      async (reaction, kind) => {
        const messages = [aPushMessage(), aPushMessage(), aPushMessage()]
        const [, middle] = messages
        harness().react(middle?.token ?? "", reaction)
        const outcomes = await harness().send(messages)
        expect(kinds(outcomes)).toEqual(["sent", kind, "sent"])
        expect(messages.map(({ delivery_id }) => harness().countCalls(delivery_id))).toEqual([1, 1, 1])
        expect(outcomes[1]).toMatchObject({ reason: expect.stringMatching(reasonPattern) })
        if (reaction === "is busy for 7 seconds") expect(outcomes[1]).toMatchObject({ after_seconds: 7 })
      },
    )

    it("a provider that refuses the account: misconfigured", async () => {
      const refused = aPushMessage()
      harness().react(refused.token, "refuses the account")
      const outcomes = await harness().send([refused])
      expect(outcomes).toEqual([{ kind: "misconfigured", reason: expect.stringMatching(reasonPattern) }])
    })

    it("sends again what may be sent again, when it is asked to", async () => {
      const message = aPushMessage()
      harness().react(message.token, "is busy for 7 seconds")
      expect(kinds(await harness().send([message]))).toEqual(["retry"])
      expect(kinds(await harness().send([message, aPushMessage()]))).toEqual(["retry", "sent"])
      expect(harness().countCalls(message.delivery_id)).toBe(2)
    })
  })
