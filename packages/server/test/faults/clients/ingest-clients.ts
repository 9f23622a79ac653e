import { randomInt, randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Api } from "../../harness/api.ts"
import { aUser, daysAgo, type TestProject } from "../../harness/fixtures.ts"

/** The event that the clients post. */
export const eventName = "lesson_completed"

/** What clients have sent, and what the service has acknowledged. */
export interface Sent {
  /** The `event_id`s of every batch that was ever sent. */
  readonly batches: Array<ReadonlyArray<string>>
  readonly acknowledged: Set<string>
  /** Users whose events were sent in the order in which they occurred. */
  readonly orderly: Set<string>
  readonly shuffled: Set<string>
}

/** Clients that post until `stop`. */
export interface Clients {
  readonly sent: Sent
  stop(): Promise<void>
}

interface Batch {
  readonly ids: ReadonlyArray<string>
  readonly events: ReadonlyArray<object>
}

const historyDays = 40
const usersAtOnce = 4
const retryMillis = 50

const batchOf = (days: number, userIds: ReadonlyArray<string>): Batch => {
  const events = userIds.map((app_user_id) => ({
    ...{ app_user_id, event_name: eventName, event_id: randomUUID(), occurred_at: daysAgo(days) },
  }))
  return { ids: events.map(({ event_id }) => event_id), events }
}

/**
 * Starts clients of a project: `orderly` ones that repeat a batch until it is acknowledged, as many that never repeat, and as many that
 * send single events.
 */
export const startClients = (api: Api, project: TestProject, timezone: string, count: number): Clients => {
  const sent: Sent = { batches: [], acknowledged: new Set(), orderly: new Set(), shuffled: new Set() }
  let stopped = false

  const post = async (batch: Batch): Promise<boolean> => {
    sent.batches.push(batch.ids)
    const body = batch.events.length === 1 ? batch.events[0] : { events: batch.events }
    const answer = await api.call("POST", `${project.admin}/events`, project.owner.as, body).catch(() => null)
    if (answer?.status !== 200) {
      await wait(retryMillis)
      return false
    }
    for (const id of batch.ids) sent.acknowledged.add(id)
    return true
  }

  const makeUsers = async (known: Set<string>): Promise<ReadonlyArray<string>> => {
    const made: Array<string> = []
    while (made.length < usersAtOnce && !stopped) {
      const user = await aUser(api, project, timezone).catch(() => wait(retryMillis))
      if (user !== undefined) made.push(user.id)
    }
    for (const id of made) known.add(id)
    return made
  }

  /** Posts forty days of a few users in order, then of others. Repeats a batch until it is acknowledged. */
  const orderly = async () => {
    while (!stopped) {
      const users = await makeUsers(sent.orderly)
      for (let days = historyDays; days >= 0 && !stopped; days -= 1) {
        const activeUsers = users.filter(() => randomInt(10) < 7)
        const batch = batchOf(days, randomInt(4) === 0 ? [...activeUsers, ...activeUsers] : activeUsers)
        while (activeUsers.length > 0 && !stopped && !(await post(batch))) {}
      }
    }
  }

  /** Posts days in random order, and never repeats a batch. */
  const unordered = async () => {
    const users = await makeUsers(sent.shuffled)
    while (!stopped) await post(batchOf(randomInt(historyDays), users))
  }

  /** Posts single events, some at the same time, which are written in groups. Never repeats one. */
  const single = async () => {
    const users = await makeUsers(sent.shuffled)
    while (!stopped) await Promise.all(users.map((user) => post(batchOf(randomInt(historyDays), [user]))))
  }

  const loops = Array.from({ length: count }, () => [orderly(), unordered(), single()]).flat()
  return {
    sent,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}
