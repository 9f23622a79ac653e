import type { Figure } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const warmUp = 2_000
const rounds = 20
const callsPerRound = 25
// In turn: with one alone, the achievement would count thousands of events at each call.
const users = 25
// So long nothing happens between two calls: what the one before has set off is done by then.
const quietMillis = 40
const most = 3

const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const p95 = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN

/** What an event sets off in a project that uses all of it. */
const furnish = async (service: Service, developer: Readonly<Record<string, string>>, projectId: string) => {
  const admin = (method: string, path: string, body: object) =>
    call(service, method, `/admin/projects/${projectId}${path}`, developer, JSON.stringify(body))
  await admin("POST", "/streaks", { name: "Lessons", qualifying_event: "lesson_completed" })
  await admin("PUT", "/xp/rules", { rules: [{ event_name: "lesson_completed", amount: 10, daily_cap: null }] })
  await admin("PUT", "/xp/levels", { levels: [{ name: "Bronze", xp_required: 100 }] })
  const criteria = { all: [{ event: "lesson_completed", count: 1_000_000 }] }
  await admin("POST", "/achievements", { key: "lessons", name: "Lessons", criteria })
  await admin("POST", "/leaderboards", { name: "Weekly", metric: "xp", period: "weekly" })
}

/** An event whose effects are asked for, against the same event without, one call after the other on a quiet service [G9.1]. */
export const effects = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { clients, developer, projectId } = await setUp(service, users)
  await furnish(service, developer, projectId)
  const body = JSON.stringify({ event_name: "lesson_completed" })
  let calls = 0
  const time = async (path: string) => {
    calls += 1
    const began = performance.now()
    await call(service, "POST", path, clients[calls % users] ?? {}, body)
    return performance.now() - began
  }
  const paths = { plain: "/client/events", asked: "/client/events?effects=true" }
  // One after the other: effects are told after what the user's earlier events did, which the worker handles in its own time.
  for (const path of Object.values(paths)) {
    for (let index = 0; index < warmUp; index += 1) await time(path)
    await wait(2_000)
  }
  const [plain, asked]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const [path, times] of [
      [paths.plain, plain],
      [paths.asked, asked],
    ] as const) {
      for (let index = 0; index < callsPerRound; index += 1) {
        times.push(await time(path))
        await wait(quietMillis)
      }
      // The queue is told of new events at most four times a second.
      await wait(400)
    }
  }
  const [measured, reference] = [p95(asked), p95(plain)]
  return [
    {
      name: "An event with its effects (streak, XP, achievement, leaderboard), p95 on a quiet service",
      measured: `${measured.toFixed(1)} ms = ${(measured / reference).toFixed(2)} ×`,
      bound: `≤ ${most} × the same event without (${reference.toFixed(1)} ms)`,
      kept: measured <= most * reference,
    },
  ]
}
