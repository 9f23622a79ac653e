import type { PushOutcome } from "@hearth/core/push"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  aPushMessage,
  type ProviderReaction,
  pushGatewayContract,
  pushOutcomesContract,
} from "../src/contracts/index.ts"
import { anApnsAccount, manualClock, memoryPushGateway, testWorld } from "../src/index.ts"

const account = anApnsAccount({ project_id: "a-project" })

const outcomes: Readonly<Record<ProviderReaction, PushOutcome>> = {
  "forgets the device": { kind: "dead_token", reason: "Unregistered", since: null },
  "is busy for 7 seconds": { kind: "retry", reason: "TooManyRequests", after_seconds: 7 },
  "does not answer": { kind: "unknown", reason: "Timeout" },
  "refuses the payload": { kind: "bad_payload", reason: "PayloadEmpty" },
  "refuses the account": { kind: "misconfigured", reason: "InvalidProviderToken" },
}

const makeHarness = () => {
  const gateway = memoryPushGateway(manualClock())
  return {
    send: (messages: Parameters<typeof gateway.send>[1]) => Effect.runPromise(gateway.send(account, messages)),
    arrived: () => gateway.pushes.map(({ message: { token, title, body } }) => ({ token, title, body })),
    countCalls: gateway.countCalls,
    react: (token: string, reaction: ProviderReaction) => gateway.answer(token, outcomes[reaction]),
    close: async () => {},
  }
}

pushGatewayContract("memory", makeHarness)
pushOutcomesContract("memory", makeHarness)

describe("the push gateway of a world", () => {
  it("gives answers in turn, records what it was asked for, and takes its time", async () => {
    const world = testWorld()
    world.push.answer("busy", outcomes["is busy for 7 seconds"], { kind: "sent", provider_message_id: "1" })
    const message = aPushMessage({ token: "busy" })
    const send = () => world.run(world.push.send(account, [message]))
    expect([await send(), await send(), await send()].map(([first]) => first?.kind)).toEqual(["retry", "sent", "sent"])
    expect(world.push.countCalls(message.delivery_id)).toBe(3)
    expect(world.push.pushes[0]).toEqual({
      ...{ project_id: "a-project", provider: "push_a", version: "1", message, at: world.clock.now() },
    })

    world.push.delay("5 seconds")
    const slow = send()
    await world.advance("4 seconds")
    expect(world.push.countCalls(message.delivery_id)).toBe(4)
    await world.advance("1 second")
    expect((await slow)[0]?.kind).toBe("sent")
  })

  it("answers unknown after 60 seconds for what is never answered, as the real ones do", async () => {
    const world = testWorld()
    world.push.answerWith(({ message }) => (message.token === "silent" ? Effect.never : null))
    const sending = world.run(world.push.send(account, [aPushMessage({ token: "silent" }), aPushMessage()]))
    await world.advance("60 seconds")
    expect((await sending).map(({ kind }) => kind)).toEqual(["unknown", "sent"])
  })

  it("has a development gateway until it is taken away", async () => {
    const world = testWorld()
    const send = world.push.development
    if (send === null) throw new Error("There is no development gateway.")
    expect(await world.run(send("a-project", "push_b", [aPushMessage()]))).toMatchObject([{ kind: "sent" }])
    expect(world.push.pushes[0]).toMatchObject({ provider: "push_b", version: null })
    world.push.setDevelopment(false)
    expect(world.push.development).toBeNull()
  })
})
