import { Effect, Option, Schema } from "effect"
import type { FindIntegration } from "../integrations/find-integration.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { JsonObject, Uuid } from "../schema.ts"
import type { UsersDb } from "../users/port.ts"
import { PushOptions } from "./campaign.ts"
import { fillText, type TextSource } from "./deliveries/fill-text.ts"
import type { PushMessage, PushOutcome } from "./deliveries/gateway.ts"
import { NoActiveToken, PushNotSent, PushRefused } from "./failures.ts"
import { parsePushTest, type TestTarget } from "./parse-push.ts"
import type { PushDb } from "./port.ts"
import { PushProvider } from "./push-token.ts"

/** The body of a test, for the API reference. `parsePushTest` validates it, with a code for each mistake. */
export const PushTest = Schema.Struct({
  title: Schema.String,
  body: Schema.String,
  app_user_id: Schema.optionalKey(Uuid),
  device_token: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(PushProvider),
  data: Schema.optionalKey(JsonObject),
  options: Schema.optionalKey(PushOptions),
}).annotate({ identifier: "PushTest" })

/** The answer of a test that was accepted. Receipts do not know its `delivery_id` [H4.7]. */
export const PushTested = Schema.Struct({
  sent: Schema.Literal(true),
  delivery_id: Uuid,
  provider: PushProvider,
  provider_message_id: Schema.NullOr(Schema.String),
}).annotate({ identifier: "PushTested" })

/** A device to try, and the user whose texts it shows; null where nobody is known. */
interface Device {
  readonly token: string
  readonly provider: PushProvider
  readonly user: TextSource | null
}

const refusals: ReadonlySet<PushOutcome["kind"]> = new Set(["dead_token", "rejected", "bad_payload", "misconfigured"])

type Db = Pick<PushDb, "pushTokens"> & UsersDb

/** Sends one push now, so that a developer sees whether it arrives. No campaign is made, and no device is touched. */
export const makeTestPush = (
  { ids, push, tenants }: Pick<Ports<Db>, "ids" | "push" | "tenants">,
  findIntegration: FindIntegration,
) => {
  const findDevice = Effect.fnUntraced(function* (projectId: string, target: TestTarget) {
    if ("device_token" in target) {
      const { device_token: token, provider } = target
      return { token, provider, user: null } satisfies Device
    }
    const { app_user_id } = target
    const { token, provider } = yield* orFail(
      tenants.read(projectId, (db) => db.pushTokens.latestActive(app_user_id)),
      NoActiveToken,
    )
    const user = yield* tenants.read(projectId, (db) => db.users.find({ id: app_user_id }))
    return { token, provider, user: Option.getOrNull(user) } satisfies Device
  })

  /** Sends through the provider, or to the development gateway where there are no credentials [H4.2]. Null without either. */
  const send = Effect.fnUntraced(function* (projectId: string, provider: PushProvider, message: PushMessage) {
    const account = yield* findIntegration(projectId, provider)
    if (account !== null) return (yield* push.send(account, [message]))[0] ?? null
    const { development } = push
    return development === null ? null : ((yield* development(projectId, provider, [message]))[0] ?? null)
  })

  return Effect.fn("push.test")(function* (projectId: string, given: unknown) {
    const { target, title, body, data, options } = yield* Effect.fromResult(parsePushTest(given))
    const { token, provider, user } = yield* findDevice(projectId, target)
    const delivery_id = ids.uuid()
    const texts = { title: fillText(title, user), body: fillText(body, user) }
    const outcome = yield* send(projectId, provider, { delivery_id, token, ...texts, data, options })
    if (outcome?.kind === "sent") {
      const { provider_message_id } = outcome
      return { sent: true as const, delivery_id, provider, provider_message_id }
    }
    const details = { delivery_id, provider, provider_message_id: null, invalid_token: outcome?.kind === "dead_token" }
    const said = outcome === null ? undefined : `: ${outcome.reason}.`
    if (outcome !== null && refusals.has(outcome.kind))
      return yield* new PushRefused(details, `The provider has refused the push${said}`)
    return yield* new PushNotSent(details, said && `The push could not be sent${said}`)
  })
}
