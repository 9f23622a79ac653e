import {
  type ApnsReaction,
  apnsAnswer,
  apnsSilence,
  type FcmReaction,
  fcmError,
  fcmSilence,
  startApnsServer,
  startFcmServer,
} from "@hearth/test-services/push"
import {
  type ProviderReaction,
  pushGatewayContract,
  pushOutcomesContract,
  sendThrough,
} from "@hearth/testing/contracts"
import { Effect } from "effect"
import { developmentGateway, type PushParts } from "../../src/push/index.ts"
import { pushTiming } from "../../src/push/timing.ts"
import { systemClock } from "../../src/system/index.ts"
import { apnsAccount, fcmAccount, openTestGateway, shortTiming } from "./harness.ts"

const ofApns: Readonly<Record<ProviderReaction, ApnsReaction>> = {
  "forgets the device": apnsAnswer(410, "Unregistered", { timestamp: 1_700_000_000_000 }),
  "is busy for 7 seconds": apnsAnswer(429, "TooManyRequests", { headers: { "retry-after": "7" } }),
  "does not answer": apnsSilence,
  "refuses the payload": apnsAnswer(400, "PayloadEmpty"),
  "refuses the account": apnsAnswer(403, "InvalidProviderToken"),
}

const ofFcm: Readonly<Record<ProviderReaction, FcmReaction>> = {
  "forgets the device": fcmError(404, "NOT_FOUND", { errorCode: "UNREGISTERED" }),
  "is busy for 7 seconds": fcmError(429, "RESOURCE_EXHAUSTED", {
    errorCode: "QUOTA_EXCEEDED",
    headers: { "retry-after": "7" },
  }),
  "does not answer": fcmSilence,
  "refuses the payload": fcmError(400, "INVALID_ARGUMENT", { fields: ["message.data[0].key"] }),
  "refuses the account": fcmError(401, "UNAUTHENTICATED", { errorCode: "THIRD_PARTY_AUTH_ERROR" }),
}

const overApns = (secure: boolean, parts: Partial<PushParts>) => async () => {
  const server = await startApnsServer({ secure })
  const { gateway, close } = openTestGateway({ push_a: server.url }, parts)
  return {
    send: sendThrough(gateway, apnsAccount()),
    arrived: () =>
      server.calls.map(({ token, payload }) => ({
        token,
        ...(payload as { aps: { alert: { title: string; body: string } } }).aps.alert,
      })),
    countCalls: server.countCalls,
    react: (token: string, reaction: ProviderReaction) => server.react(token, ofApns[reaction]),
    close: async () => {
      await close()
      await server.stop()
    },
  }
}

const overFcm = (parts: Partial<PushParts>) => async () => {
  const server = await startFcmServer()
  const { gateway, close } = openTestGateway({ push_b: server.url }, parts)
  return {
    send: sendThrough(gateway, fcmAccount(server.tokenUri)),
    arrived: () =>
      server.calls.map(({ token, message }) => ({
        token,
        ...(message["notification"] as { title: string; body: string }),
      })),
    countCalls: server.countCalls,
    react: (token: string, reaction: ProviderReaction) => server.react(token, ofFcm[reaction]),
    close: async () => {
      await close()
      await server.stop()
    },
  }
}

for (const inThread of [false, true]) {
  const where = inThread ? " from a thread" : ""
  pushGatewayContract(`APNs${where}`, overApns(false, { timing: pushTiming, inThread }))
  pushOutcomesContract(`APNs${where}`, overApns(false, { timing: shortTiming, inThread }))
  pushGatewayContract(`FCM${where}`, overFcm({ timing: pushTiming, inThread }))
  pushOutcomesContract(`FCM${where}`, overFcm({ timing: shortTiming, inThread }))
}
pushGatewayContract("development", () => {
  const { accept, list } = developmentGateway(systemClock)
  const arrived = () => list().map(({ token, title, body }) => ({ token, title, body }))
  return {
    send: (messages) => Effect.runPromise(accept("a-project", "push_a", messages)),
    arrived,
    countCalls: (id) => list().filter(({ delivery_id }) => delivery_id === id).length,
    close: async () => {},
  }
})
