import { randomInt } from "node:crypto"
import type { Api } from "../../harness/api.ts"
import { aUser, type TestProject } from "../../harness/fixtures.ts"

/** What apps were told of their sessions. */
export interface ToldOfSessions {
  /** The ids of sessions whose start was acknowledged, by user and `session_id`. */
  readonly started: Map<string, string>
  /** The answers to acknowledged ends. */
  readonly ended: Map<string, string>
  readonly unexpected: Array<string>
}

/** Apps that start, keep alive and end sessions, each call again until it is answered. */
export interface SessionClients {
  readonly told: ToldOfSessions
  stop(): Promise<void>
}

/** Starts `count` apps, each of a user of its own. */
export const startSessionClients = async (api: Api, project: TestProject, count: number): Promise<SessionClients> => {
  const told: ToldOfSessions = { started: new Map(), ended: new Map(), unexpected: [] }
  let isStopping = false

  /** The answer of a call, which is repeated while there is none; null when the clients stop. */
  const untilAnswered = async (as: Readonly<Record<string, string>>, call: string, session_id: string) => {
    while (!isStopping) {
      const body = { session_id, platform: "ios", device_model: null }
      const answer = await api.call<{ id: string }>("POST", `/client/sessions/${call}`, as, body).catch(() => null)
      if (answer !== null && answer.status < 500) return answer
    }
    return null
  }

  const keep = (kept: Map<string, string>, key: string, text: string) => {
    const known = kept.get(key)
    if (known !== undefined && known !== text) told.unexpected.push(`${known} became ${text}`)
    kept.set(key, text)
  }

  const use = async () => {
    const user = await aUser(api, project)
    for (let round = 0; !isStopping; round += 1) {
      const session_id = `s${round}`
      const key = `${user.id}/${session_id}`
      for (const _ of [1, 2]) {
        const answer = await untilAnswered(user.as, "start", session_id)
        if (answer?.status === 201) keep(told.started, key, answer.data.id)
        else if (answer !== null) told.unexpected.push(`start: ${answer.text}`)
      }
      await untilAnswered(user.as, "heartbeat", session_id)
      // Some are left to the background.
      if (randomInt(3) === 0) continue
      for (const _ of [1, 2]) {
        const answer = await untilAnswered(user.as, "end", session_id)
        if (answer?.status === 200) keep(told.ended, key, answer.text)
        else if (answer !== null) told.unexpected.push(`end: ${answer.text}`)
      }
    }
  }

  const running = Array.from({ length: count }, use)
  return {
    told,
    stop: async () => {
      isStopping = true
      await Promise.allSettled(running)
    },
  }
}
