import { spawnSync } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure } from "../harness/figure.ts"
import { call, emptyDataDir, removeDataDir, type Service, setUp, startService } from "../harness/service.ts"

const projects = 1_000

// One step is missing in each, as if a release without deep links had left them.
const takeStep = `drop table tracked_link_users, tracked_link_clicks, tracked_links, deep_link_config;
  delete from mikro_orm_migrations where name = '0005-deep-links'`

/** Makes the databases of projects that an earlier release left, and takes `projectId` back to it too. */
const makeOlderProjects = async (dataDir: string, projectId: string) => {
  const own = await connectTo(dataDir, projectId)
  await own.query(takeStep)
  await own.query(`comment on database hearth_${projectId.replaceAll("-", "")} is 'schema 0004'`)
  const { rows } = await own.query("select datname as name from pg_database where datname like 'hearth_template_%'")
  await own.query(`create database older template ${rows[0].name} allow_connections true`)
  const older = await connectTo(dataDir, "older")
  await older.query(takeStep)
  await older.end()
  const names = Array.from({ length: projects }, (_, at) => at.toString(16).padStart(32, "0"))
  for (const name of names) {
    await own.query(`create database later_${name} template older`)
    await own.query(`comment on database later_${name} is 'schema 0004'`)
  }
  await own.query("checkpoint")
  // Only now: the service that runs would bring them up to date while the others are made and written.
  for (const name of names) await own.query(`alter database later_${name} rename to hearth_${name}`)
  await own.end()
}

const readDatabases = async ({ origin }: Service) => {
  const lines = (await (await fetch(`${origin}/health/ready`)).text()).trim().split("\n")
  return lines.map((line) => JSON.parse(line)).find(({ dependency }) => dependency === "project-databases")
}

/** Uses a project right after the start, and waits until all databases are up to date. In milliseconds. */
const watchMigrations = async (service: Service, useProject: () => Promise<unknown>) => {
  const started = performance.now()
  await useProject()
  const firstUse = performance.now() - started
  let slowest = 0
  for (;;) {
    const asked = performance.now()
    await fetch(`${service.origin}/health/live`)
    slowest = Math.max(slowest, performance.now() - asked)
    const { current, waiting, failing } = await readDatabases(service)
    if (current === projects + 1 && waiting === 0) break
    if (failing > 0) throw new Error(`${failing} databases could not be brought up to date.`)
    await sleep(20)
  }
  return { firstUse, slowest, all: performance.now() - started }
}

/** A start with a thousand projects of an earlier release. Takes minutes and 12 GB: only when it is named. */
export const thousandProjects = async (): Promise<ReadonlyArray<Figure>> => {
  const dataDir = emptyDataDir()
  try {
    await (await startService(dataDir)).stop()
    const before = await startService(dataDir)
    const { developer, projectId } = await setUp(before, 1)
    await makeOlderProjects(dataDir, projectId)
    await before.stop()
    // The databases are written: what follows is the start alone.
    spawnSync("sync")

    const service = await startService(dataDir)
    const { firstUse, slowest, all } = await watchMigrations(service, () =>
      call(service, "GET", `/admin/projects/${projectId}/deep-links/tracked`, developer),
    ).finally(service.stop)
    return [
      atMost("Start without a project to the first answer, for comparison", "ms", before.startMillis, 2_000),
      atMost("Start with 1,000 projects of an earlier schema to the first answer", "ms", service.startMillis, 2_000),
      atMost("First use of one of them, right after the start", "ms", firstUse, 2_000),
      atMost("Slowest /health/live while the others are migrated", "ms", slowest, 250),
      atMost("Until all of them are migrated", "s", all / 1000, 120, 1),
    ]
  } finally {
    removeDataDir(dataDir)
  }
}
