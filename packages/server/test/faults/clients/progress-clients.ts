import { randomInt, randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Api } from "../../harness/api.ts"
import { aUser, daysAgo, type TestProject, type TestUser } from "../../harness/fixtures.ts"

/** A change of money that was acknowledged, by its idempotency key. */
export interface Payment {
  readonly userId: string
  /** Signed: what the balance has changed by. */
  readonly amount: number
  readonly transactionId: string
}

/** What clients were told. */
export interface Told {
  /** The `event_id`s of acknowledged events. */
  readonly events: Set<string>
  readonly payments: Map<string, Payment>
}

/** Clients that post events, spend and buy until `stop`. */
export interface ProgressClients {
  readonly users: ReadonlyArray<TestUser>
  readonly told: Told
  stop(): Promise<void>
}

interface PaymentAnswer {
  readonly transaction: { readonly id: string; readonly amount: number }
}

const retryMillis = 50
const historyDays = 20

/** The names of the events, some of which have points that are summed. */
const eventNames = ["lesson", "quiz"] as const

const anEvent = (app_user_id: string) => ({
  app_user_id,
  event_name: eventNames[randomInt(eventNames.length)],
  event_id: randomUUID(),
  occurred_at: daysAgo(randomInt(historyDays)),
  properties: { points: [randomInt(1, 100) / 4, "7", null][randomInt(10) < 8 ? 0 : randomInt(1, 3)] },
})

/** Starts clients: two that post batches of events, and for each user one that spends and is granted. All repeat until answered. */
export const startProgressClients = async (api: Api, project: TestProject, count: number): Promise<ProgressClients> => {
  const users = await Promise.all(Array.from({ length: count }, () => aUser(api, project)))
  const told: Told = { events: new Set(), payments: new Map() }
  let stopped = false

  /** Calls until there is an answer that is no fault; null where the clients were stopped before. */
  const insist = async <A>(...[method, path, as, body]: Parameters<Api["call"]>) => {
    while (!stopped) {
      const answer = await api.call<A>(method, path, as, body).catch(() => null)
      if (answer !== null && answer.status < 500) return answer
      await wait(retryMillis)
    }
    return null
  }

  const postEvents = async () => {
    while (!stopped) {
      const events = Array.from({ length: 20 }, () => anEvent((users[randomInt(users.length)] as TestUser).id))
      const answer = await insist("POST", `${project.admin}/events`, project.owner.as, { events })
      if (answer?.status === 200) for (const { event_id } of events) told.events.add(event_id)
    }
  }

  const pay = async (user: TestUser) => {
    while (!stopped) {
      const key = randomUUID()
      const amount = randomInt(1, 400) / 100
      const isSpent = randomInt(2) === 0
      const answer = isSpent
        ? await insist<PaymentAnswer>("POST", "/client/currencies/COIN/spend", user.as, {
            ...{ amount, idempotency_key: key },
          })
        : await insist<PaymentAnswer>(
            "POST",
            `${project.admin}/currencies/grant`,
            { ...project.owner.as, "idempotency-key": key },
            { app_user_id: user.id, currency_code: "COIN", amount },
          )
      if (answer?.status !== 201) continue
      const { transaction } = answer.data
      told.payments.set(key, { userId: user.id, amount: transaction.amount, transactionId: transaction.id })
    }
  }

  const loops = [postEvents(), postEvents(), ...users.slice(0, 4).map(pay)]
  return {
    users,
    told,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}
