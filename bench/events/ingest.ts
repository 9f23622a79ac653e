import { systemClock, systemIds } from "@hearth/adapters"
import { connectTo, insertRow, insertRows } from "../harness/database.ts"
import { type Figure, measureService, ratio, runConcurrently, withCpu } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const ids = systemIds(systemClock)
const batches = 20
const batchSize = 500
const singles = 500
const clients = 8

/** Ingest over HTTP against the same rows by plain statements, while the worker handles the events. */
export const ingest = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { developer, projectId, userIds } = await setUp(service, 50)
  const path = `/admin/projects/${projectId}/events`
  const event = (index: number) => ({
    app_user_id: userIds[index % userIds.length],
    event_name: "lesson_completed",
    properties: { lesson: index, course: "spanish" },
    occurred_at: new Date().toISOString(),
  })
  const rows = () =>
    Array.from({ length: batchSize }, (_, index) => ({
      ...event(index),
      id: ids.uuid(),
      external_id: crypto.randomUUID(),
    }))
  const database = await connectTo(service.dataDir, projectId)

  const overHttp = () =>
    runConcurrently(2, batches, () => {
      const events = Array.from({ length: batchSize }, (_, index) => ({
        ...event(index),
        event_id: crypto.randomUUID(),
      }))
      return call(service, "POST", path, developer, JSON.stringify({ events }))
    })
  const plain = () => runConcurrently(1, batches, () => database.query(insertRows, [JSON.stringify(rows())]))
  const inBatches = await measureService(
    7,
    service,
    async () => batchSize * (await overHttp()),
    async () => batchSize * (await plain()),
  )

  const connections = await Promise.all(Array.from({ length: clients }, () => connectTo(service.dataDir, projectId)))
  const single = () =>
    runConcurrently(clients, singles, (index) => call(service, "POST", path, developer, JSON.stringify(event(index))))
  const one = () =>
    runConcurrently(clients, singles, (index) => {
      const row = event(index)
      const values = [ids.uuid(), row.app_user_id, row.event_name, row.properties, row.occurred_at, null]
      return connections[index % clients]?.query(insertRow, values) ?? Promise.resolve()
    })
  const oneByOne = await measureService(7, service, single, one)
  await Promise.all([database, ...connections].map((client) => client.end()))
  return [
    withCpu(
      ratio(
        "Ingest of 500-event batches with event_id over HTTP",
        "events/s",
        ...inBatches.rates,
        "one insert … select per batch on one connection",
        0.6,
      ),
      inBatches.cpu,
    ),
    withCpu(
      ratio(
        "Ingest of single events over HTTP, 8 clients",
        "events/s",
        ...oneByOne.rates,
        "one-row inserts on 8 connections",
        0.25,
      ),
      oneByOne.cpu,
    ),
  ]
}
