import { randomUUID } from "node:crypto"
import type { Api } from "../../packages/server/test/harness/api.ts"
import { listenTo } from "../../packages/server/test/harness/event-stream.ts"
import { aProject, aUser, type TestProject } from "../../packages/server/test/harness/fixtures.ts"
import type { Sql } from "../../packages/server/test/harness/sql.ts"
import type { FcmServer } from "../../packages/test-services/src/push/index.ts"
import { fcmProject, serviceAccountKey } from "../../packages/test-services/src/push/index.ts"
import { waitUntil } from "../harness.ts"

const devices = 12

interface Row {
  readonly id: string
}

/** A project that uses what only the newer release has, while workers of the older one take its runs from the queue, too. */
export interface NewerProject {
  readonly project: TestProject
  readonly startedAt: Date
  readonly campaign: string
}

/** A schedule that delivers each minute, and a campaign that is being sent. */
export const useNewFeatures = async (api: Api, provider: FcmServer): Promise<NewerProject> => {
  const project = await aProject(api)
  const admin = <Data = Row>(method: string, path: string, body?: object) =>
    api.ok<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const { id: library_id } = await admin("POST", "/content/libraries", { name: "Library" })
  await admin("POST", `/content/libraries/${library_id}/items`, {
    items: [{ body: "1" }, { body: "2" }, { body: "3" }],
  })
  const schedule = { library_id, name: "Each minute", schedule_type: "random", config: { cron: "* * * * *" } }
  await admin("POST", "/content/schedules", schedule)
  const service_account = {
    ...{ type: "service_account", ...fcmProject, token_uri: provider.tokenUri },
    private_key: serviceAccountKey(fcmProject.client_email).privateKey,
  }
  await admin("PUT", "/integrations/push_b", { is_active: true, config: { service_account } })
  for (let device = 0; device < devices; device += 1) {
    const { as } = await aUser(api, project)
    await api.ok("POST", "/client/push/tokens", as, { token: randomUUID(), platform: "android" })
  }
  const { id: campaign } = await admin("POST", "/push/campaigns", { title: "Sale!", body: "Cheap" })
  await admin("POST", `/push/campaigns/${campaign}/send`)
  return { project, startedAt: new Date(), campaign }
}

/** What the newer features have missed or done twice. */
export const checkNewFeatures = async (
  sql: Sql,
  provider: FcmServer,
  { project, startedAt, campaign }: NewerProject,
): Promise<ReadonlyArray<string>> => {
  const minuteMillis = 60_000
  // The tick of this very minute may be under way.
  const until = Math.floor(Date.now() / minuteMillis) * minuteMillis
  const wanted = Math.max(0, Math.floor((until - startedAt.getTime()) / minuteMillis))
  const rows = await sql.rows<{ ticks: number; deliveries: number }>(
    project.id,
    `select count(distinct tick_at)::int as ticks, count(*)::int as deliveries from content_deliveries where tick_at is not null`,
  )
  const { ticks = 0, deliveries = 0 } = rows[0] ?? {}
  const [sent] = await sql.rows<{ status: string }>(project.id, "select status from push_campaigns where id = $1", [
    campaign,
  ])
  const most = Math.max(0, ...provider.calls.map(({ delivery_id }) => provider.countCalls(delivery_id)))
  return [
    ...(ticks < wanted ? [`${ticks} of ${wanted} ticks delivered`] : []),
    ...(deliveries > ticks ? [`${deliveries} deliveries of ${ticks} ticks`] : []),
    ...(sent?.status === "sent" ? [] : [`a campaign that is ${sent?.status}`]),
    ...(provider.calls.length === devices ? [] : [`${provider.calls.length} of ${devices} devices pushed to`]),
    ...(most > 1 ? [`a device pushed to ${most} times`] : []),
  ]
}

/** Listens at the newer server to what a user does at the older one. Answers how long the slowest event took, in milliseconds. */
export const listenAcross = async (older: Api, newerUrl: string): Promise<number> => {
  const project = await aProject(older)
  const rules = [{ event_name: "quiz", amount: 3 }]
  await older.ok("PUT", `${project.admin}/xp/rules`, project.owner.as, { rules })
  const user = await aUser(older, project)
  const stream = await listenTo(`${newerUrl}/v1/client/stream`, user.as)
  await stream.waitFor(() => true)
  let slowest = 0
  for (const wanted of [1, 2]) {
    await older.ok("POST", "/client/events", user.as, { event_name: "quiz" })
    const arrived = async () => stream.events.filter(({ name }) => name === "xp").length >= wanted
    slowest = Math.max(slowest, await waitUntil("a stream", 60_000, arrived))
  }
  stream.close()
  return slowest
}
