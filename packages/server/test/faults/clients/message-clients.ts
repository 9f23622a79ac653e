import { randomInt, randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Api } from "../../harness/api.ts"
import type { TestUser } from "../../harness/fixtures.ts"

/** Clients that write to a conversation until `stop`. */
export interface MessageClients {
  /** The id of each message that was answered, by its `client_message_id`. */
  readonly sent: ReadonlyMap<string, string>
  stop(): Promise<void>
}

interface Told {
  readonly id: string
}

const retryMillis = 20

/** Starts a client per user: it writes messages, reads now and then, and repeats each call until it is answered. */
export const startMessageClients = (
  api: Api,
  users: ReadonlyArray<TestUser>,
  conversationId: string,
): MessageClients => {
  const sent = new Map<string, string>()
  const path = `/client/messaging/conversations/${conversationId}`
  let isStopped = false

  const insist = async (user: TestUser, action: string, body: object) => {
    while (!isStopped) {
      const answer = await api.call<Told>("POST", `${path}/${action}`, user.as, body).catch(() => null)
      if (answer !== null && answer.status < 500) return answer
      await wait(retryMillis)
    }
    return null
  }

  const talk = async (user: TestUser) => {
    while (!isStopped) {
      const client_message_id = randomUUID()
      const answer = await insist(user, "messages", { body: `I am ${user.id}.`, client_message_id })
      if (answer?.status === 201 || answer?.status === 200) sent.set(client_message_id, answer.data.id)
      if (randomInt(5) === 0) await insist(user, "read", {})
    }
  }

  const loops = users.map(talk)
  return {
    sent,
    stop: async () => {
      isStopped = true
      await Promise.all(loops)
    },
  }
}
