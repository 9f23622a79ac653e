import { type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { databaseOf, type Sql } from "../harness/sql.ts"

// Every message that a worker sends to the project's database while it delivers a tick is a step. In CI some of them are tried,
// with HEARTH_FAULT_STEPS=1 all.
const stride = Number(process.env["HEARTH_FAULT_STEPS"] ?? 10)
const firstStep = 1 + Math.floor(Math.random() * stride)
const mostSteps = 300

interface Due {
  readonly project: TestProject
  readonly id: string
}

// Its tests are the steps of one story.
describe(`schedules whose worker is killed at every ${stride}. step`, { shuffle: false, timeout: 900_000 }, () => {
  const harness = makeHarness()
  const killed: Array<Due> = []
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let server: TestServer
  let proxy: PostgresProxy

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    environment = database.environment
    proxy = await startPostgresProxy(environment["DATABASE_URL"] ?? "")
    server = await harness.server(environment)
  })
  afterAll(async () => {
    await proxy.close()
    await harness.clear()
  })

  /** A schedule in a project of its own, whose last tick was hours ago and was not delivered. */
  const aDueSchedule = async (): Promise<Due> => {
    const project = await aProject(server.api)
    const admin = <Data = { readonly id: string }>(path: string, body: object) =>
      server.api.ok<Data>("POST", `${project.admin}/content/${path}`, project.owner.as, body)
    const { id: library_id } = await admin("libraries", { name: "Library" })
    await admin(`libraries/${library_id}/items`, { items: [{ body: "1" }, { body: "2" }, { body: "3" }] })
    const cron = `0 ${(new Date().getUTCHours() + 20) % 24} * * *`
    const { id } = await admin("schedules", { library_id, name: "Random", schedule_type: "random", config: { cron } })
    await sql.rows(project.id, "update content_schedules set looks_from = now() - interval '3 days'")
    return { project, id }
  }
  const worker = () =>
    harness.worker({ ...environment, DATABASE_URL: proxy.through(environment["DATABASE_URL"] ?? "") })
  const isDelivered = async ({ project }: Due) => {
    const [row] = await sql.rows<{ readonly done: boolean }>(
      project.id,
      "select last_tick_at is not null as done from content_schedules",
    )
    return row?.done
  }
  const untilDelivered = async (due: Due) => {
    await expect.poll(() => isDelivered(due), { timeout: 90_000, interval: 50 }).toBe(true)
    return "delivered" as const
  }

  it("are killed at each", async () => {
    for (let step = firstStep; step < mostSteps; step += stride) {
      const due = await aDueSchedule()
      const hold = proxy.holdAt(databaseOf(due.project.id), step)
      const running = await worker()
      const outcome = await Promise.race([hold.reached, untilDelivered(due)])
      await running.end("SIGKILL")
      hold.release()
      killed.push(due)
      if (outcome === "delivered") return
    }
    throw new Error("A tick is never delivered.")
  })

  it("deliver each tick once, also where two workers find it [E11, I1.3]", async () => {
    killed.push(await aDueSchedule())
    const workers = await Promise.all([worker(), worker()])
    for (const due of killed) await untilDelivered(due)
    await Promise.all(workers.map((running) => running.end("SIGTERM")))
    for (const { project, id } of killed) {
      const rows = await sql.rows(
        project.id,
        `select count(*)::int as deliveries, count(distinct tick_at)::int as ticks,
           bool_and(d.tick_at = s.last_tick_at and d.item_id = s.last_item_id) as is_place
         from content_deliveries d join content_schedules s on s.id = d.schedule_id where s.id = $1`,
        [id],
      )
      expect(rows).toEqual([{ deliveries: 1, ticks: 1, is_place: true }])
    }
    expect(killed.length).toBeGreaterThan(1)
  })
})
