import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import { type Figure, measureInTurns, measureService, ratio, runConcurrently, withCpu } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const rounds = 7
const calls = 1_000
const clients = 8
const secret = "a secret of the benchmark"
const authorization = `Bearer ${secret}`
const integration = { is_active: true, config: { webhook_secret: secret } }

const columns = `id, provider, provider_event_id, event_type, provider_user_id, status, received_at, payload, event_at`

/** The bound of the intake: one row. */
const insertWebhook = `insert into webhook_inbox (${columns})
  values ($1, 'subscription', $2, 'RENEWAL', 'nobody', 'received', now(), $3, now())`

/** A renewal as the provider sends it: about 1 KB. */
const aBody = (id: string) =>
  JSON.stringify({
    api_version: "1.0",
    event: {
      ...{ id, type: "RENEWAL", app_user_id: "nobody", original_app_user_id: "nobody", aliases: ["nobody"] },
      ...{ event_timestamp_ms: Date.now(), product_id: "monthly", entitlement_ids: ["pro"], period_type: "NORMAL" },
      ...{ purchased_at_ms: Date.now(), expiration_at_ms: Date.now() + 2.6e9, store: "APP_STORE" },
      ...{ environment: "PRODUCTION", price: 9.99, currency: "USD", transaction_id: id, country_code: "DE" },
      ...{
        original_transaction_id: id,
        renewal_number: 3,
        subscriber_attributes: { $email: { value: "a@b.example" } },
      },
      presented_offering_id: "x".repeat(300),
    },
  })

const insertPlainly = async (dataDir: string, projectId: string) => {
  const connections = await Promise.all(Array.from({ length: clients }, () => connectTo(dataDir, projectId)))
  return {
    insert: () =>
      runConcurrently(clients, calls, (index) => {
        const id = crypto.randomUUID()
        return connections[index % clients]?.query(insertWebhook, [id, id, aBody(id)]) ?? Promise.resolve()
      }),
    end: () => Promise.all(connections.map((connection) => connection.end())),
  }
}

const plainly = `one-row inserts of the same on ${clients} connections`

/** The intake of subscription webhooks by its use case, with check, limit and entry of the outbox. Nothing is processed. */
export const webhooksInProcess = async (): Promise<ReadonlyArray<Figure>> => {
  const { core, dataDir, newProject, ownerId, close } = await openInProcess()
  const { id: project_id } = await newProject("Bench")
  await Effect.runPromise(core.integrations.put(project_id, ownerId, "subscription", integration))
  const encoder = new TextEncoder()
  const take = () => {
    const text = aBody(crypto.randomUUID())
    const body = { bytes: encoder.encode(text), json: () => JSON.parse(text) as unknown }
    return Effect.runPromise(core.webhooks.receiveSubscription({ project_id, authorization, body }))
  }
  const { insert, end } = await insertPlainly(dataDir, project_id)
  const rates = await measureInTurns(rounds, () => runConcurrently(clients, calls, take), insert)
  await end()
  await close()
  return [ratio(`Intake of webhooks by ${clients} callers, by the use case`, "webhooks/s", ...rates, plainly, 0.5)]
}

/** The same over HTTP, while the worker of the process handles them. */
export const webhooks = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const { developer, projectId } = await setUp(service, 1)
  const path = `/admin/projects/${projectId}/integrations/subscription`
  await call(service, "PUT", path, developer, JSON.stringify(integration))
  const send = () =>
    call(
      service,
      "POST",
      `/webhooks/subscription?project_id=${projectId}`,
      { authorization },
      aBody(crypto.randomUUID()),
    )
  const { insert, end } = await insertPlainly(service.dataDir, projectId)
  const { rates, cpu } = await measureService(rounds, service, () => runConcurrently(clients, calls, send), insert)
  await end()
  const figure = ratio(`Intake of webhooks by ${clients} clients over HTTP`, "webhooks/s", ...rates, plainly, 0.25)
  return [withCpu(figure, cpu)]
}
