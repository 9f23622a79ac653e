import {
  createAdminClient,
  createClient,
  type HearthError,
  listenToProject,
  memoryStorage,
  type StreamEvent,
} from "@hearth/client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const harness = makeHarness()
const stops: Array<() => void> = []
let server: TestServer
let project: TestProject

beforeAll(async () => {
  server = await harness.server({ DATA_DIR: harness.folder() })
  project = await aProject(server.api)
  const rules = { rules: [{ event_name: "lesson", amount: 10 }] }
  await server.api.ok("PUT", `${project.admin}/xp/rules`, project.owner.as, rules)
})
afterAll(async () => {
  for (const stop of stops.splice(0)) stop()
  await harness.clear()
})

/** Streams that can be cut, and what they were asked for. */
const makeCuttable = () => {
  const asked: Array<string | null> = []
  const cuts: Array<() => void> = []
  const cuttable: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const response = await fetch(request)
    if (response.headers.get("content-type") !== "text/event-stream") return response
    asked.push(request.headers.get("last-event-id"))
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const cut = new AbortController()
    cuts.push(() => cut.abort())
    void response.body?.pipeTo(writable, { signal: cut.signal }).catch(() => {})
    return new Response(readable, { headers: response.headers })
  }
  return { asked, cuts, fetch: cuttable }
}

it("listens for who is signed in, and goes on where it was after a cut", async () => {
  const network = makeCuttable()
  const hearth = createClient({
    ...{ url: server.url, apiKey: project.clientKey, storage: memoryStorage() },
    fetch: network.fetch,
  })
  stops.push(() => hearth.close())
  await hearth.signInAnonymously()
  const seen: Array<StreamEvent> = []
  const states: Array<boolean> = []
  hearth.stream({ onEvent: (event) => seen.push(event), onConnection: (isConnected) => states.push(isConnected) })
  const totals = () => seen.filter(({ type }) => type === "xp").map(({ data }) => data.total)
  await expect.poll(() => network.asked).toEqual([null])
  hearth.track("lesson")
  await hearth.flush()
  await expect.poll(totals).toEqual([10])
  network.cuts[0]?.()
  hearth.track("lesson")
  await hearth.flush()
  await expect.poll(totals).toEqual([10, 20])
  expect(network.asked[1]).toMatch(/:/)
  expect(seen.map(({ type }) => type)).toEqual(["xp", "xp"])
  hearth.close()
  expect(states).toEqual([true, false, true])
})

it("listens for a developer, and says once that it may not", async () => {
  const admin = createAdminClient({
    ...{ url: server.url, token: project.owner.as["authorization"]?.replace("Bearer ", "") ?? "" },
  })
  const { id: projectId } = project
  const seen: Array<StreamEvent> = []
  const connections: Array<boolean> = []
  const onConnection = (isConnected: boolean) => connections.push(isConnected)
  const onEvent = (event: StreamEvent) => seen.push(event)
  stops.push(listenToProject(admin, { projectId, event_name: "rare", onEvent, onConnection }))
  const hearth = createClient({ url: server.url, apiKey: project.clientKey, storage: memoryStorage() })
  stops.push(() => hearth.close())
  await hearth.signInAnonymously()
  // It is told of what comes after that.
  await expect.poll(() => connections).toEqual([true])
  hearth.track("rare")
  await hearth.flush()
  await expect.poll(() => seen.find(({ type }) => type === "batch")?.data.counts).toMatchObject({ events: 1 })
  const refused: Array<HearthError> = []
  const nobodys = "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
  const never = () => expect.unreachable()
  const onRefused = (error: HearthError) => refused.push(error)
  listenToProject(admin, { projectId: nobodys, onEvent: never, onConnection: never, onRefused })
  await expect.poll(() => refused.map(({ code }) => code)).toEqual(["FORBIDDEN"])
})
