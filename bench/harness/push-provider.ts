import { fork } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import type { PushAccount } from "@hearth/core/push"

/** A provider of both kinds, on loopback, that accepts every push at once. */
export interface PushProvider {
  readonly apnsUrl: string
  readonly fcmUrl: string
  /** The credentials that `PUT …/integrations/push_a` and `push_b` take. */
  readonly credentials: {
    readonly push_a: Omit<Extract<PushAccount, { provider: "push_a" }>, "provider" | "project_id" | "version">
    readonly push_b: Omit<Extract<PushAccount, { provider: "push_b" }>, "provider" | "project_id" | "version">
  }
  /** How many pushes it was asked for. */
  calls(): Promise<number>
  stop(): Promise<void>
}

const pem = { type: "pkcs8", format: "pem" } as const

/** Starts a provider in a process of its own. */
export const startPushProvider = async (): Promise<PushProvider> => {
  const child = fork(new URL("./push-provider-process.ts", import.meta.url), { stdio: "inherit" })
  const [{ apnsUrl, fcmUrl }] = (await once(child, "message")) as [{ apnsUrl: string; fcmUrl: string }]
  return {
    apnsUrl,
    fcmUrl,
    credentials: {
      push_a: {
        ...{ team_id: "TEAM000001", key_id: "KEY0000001", topic: "com.example.bench", environment: "production" },
        private_key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export(pem).toString(),
      },
      push_b: {
        service_account: {
          ...{ type: "service_account", project_id: "bench", client_email: "bench@example.com" },
          private_key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pem).toString(),
          token_uri: `${fcmUrl}/token`,
        },
      },
    },
    calls: async () => {
      const answer = once(child, "message")
      child.send("calls")
      const [{ calls }] = (await answer) as [{ calls: number }]
      return calls
    },
    stop: async () => {
      const ended = once(child, "exit")
      child.disconnect()
      await ended
    },
  }
}
