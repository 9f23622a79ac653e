import { Effect, Exit, Option, Schedule } from "effect"
import type { EventsDb } from "../../events/port.ts"
import { ServiceUnavailable, type TenantFailure } from "../../failure.ts"
import type { Ports } from "../../ports/ports.ts"
import { isObject } from "../../schema.ts"
import { together } from "../../together.ts"
import type { PushCampaign, PushOptions } from "../campaign.ts"
import type { PushDb } from "../port.ts"
import type { PushProvider } from "../push-token.ts"
import type { ClaimedDelivery, ClaimPosition, StatsChanges } from "./deliveries-port.ts"
import type { PushDelivery } from "./delivery.ts"
import { fillText } from "./fill-text.ts"
import type { PushAccount, PushMessage, PushOutcome } from "./gateway.ts"
import { type AnsweredDelivery, judgeBatch, type Verdict } from "./judge-batch.ts"

const providers: ReadonlyArray<PushProvider> = ["push_a", "push_b"]

// What providers have answered is written for so long, where the database cannot be reached: then claims are given up anyway.
const writeAgain = Schedule.spaced("2 seconds")
const writesAgain = 60

// Work dies with it, and only what fails is tried again. Mostly both databases are away together.
const failWithControl = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | ServiceUnavailable> =>
  Effect.catchDefect(work, (defect) =>
    defect instanceof ServiceUnavailable ? Effect.fail(defect) : Effect.die(defect),
  )

/** Whom a batch goes through: what a provider's account or the development gateway does with messages; null without either. */
type Send = ((messages: ReadonlyArray<PushMessage>) => Effect.Effect<ReadonlyArray<PushOutcome>>) | null

/** What a batch is sent with. */
export interface BatchPorts {
  readonly clock: Ports["clock"]
  readonly ids: Ports["ids"]
  readonly push: Ports["push"]
  readonly tenants: Ports<EventsDb & PushDb>["tenants"]
  /** The credentials of a project for a provider. */
  readonly findAccount: (projectId: string, provider: PushProvider) => Effect.Effect<PushAccount | null>
  /** Runs work that writes events. */
  readonly transact: <A, E>(
    projectId: string,
    work: (db: EventsDb & PushDb) => Effect.Effect<A, E>,
  ) => Effect.Effect<A, E | TenantFailure>
}

/** How much is sent at once, through which providers, and from where on. */
export interface BatchLimits {
  readonly limit: number
  readonly without: ReadonlySet<PushProvider>
  readonly after: ClaimPosition | null
}

/** Deliveries that were claimed together, and through whom they are sent. */
export interface ClaimedBatch {
  readonly claims: ReadonlyArray<ClaimedDelivery>
  readonly claimedAt: Date
  /** The position of the last of them. */
  readonly last: ClaimPosition | null
  readonly sends: Sends
}

type Sends = ReadonlyMap<PushProvider, Send>

/** Whether `one` stands after `other`, null before everything. */
export const isLater = (one: ClaimPosition, other: ClaimPosition | null): boolean =>
  other === null ||
  (one.try_at.getTime() === other.try_at.getTime() ? one.id > other.id : one.try_at.getTime() > other.try_at.getTime())

const findLast = (claims: ReadonlyArray<ClaimedDelivery>) =>
  claims.reduce<ClaimPosition | null>((last, claim) => (isLater(claim, last) ? claim : last), null)

const asBatch = (claims: ReadonlyArray<ClaimedDelivery>, sends: Sends): ClaimedBatch | null => {
  const claimedAt = claims[0]?.claimed_at
  return claimedAt === undefined ? null : { claims, claimedAt, last: findLast(claims), sends }
}

const propertyKey = /\{\{properties\.([^.{}|]+)/g

/** The keys, at the top level, of the properties that texts mention. */
const listPropertyKeys = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(propertyKey)].map(([, key]) => key as string))),
]

const writeMessage = (campaign: PushCampaign, delivery: ClaimedDelivery, token: string): PushMessage => ({
  delivery_id: delivery.id,
  token,
  title: fillText(campaign.title, delivery),
  body: fillText(campaign.body, delivery),
  data: campaign.data,
  options: (isObject(campaign.options) ? campaign.options : {}) as PushOptions,
})

const inactive: PushOutcome = { kind: "rejected", reason: "DEVICE_INACTIVE" }
const unconfigured: PushOutcome = { kind: "misconfigured", reason: "NOT_CONFIGURED" }
// The gateway answers for each message. If it did not, nobody would know what became of the rest.
const unanswered: PushOutcome = { kind: "unknown", reason: "NO_ANSWER" }

const countChanges = (changed: ReadonlyArray<Pick<PushDelivery, "status">>): StatsChanges => {
  const count = (status: PushDelivery["status"]) => changed.filter((each) => each.status === status).length
  return { sent: count("sent"), failed: count("failed"), unknown: count("unknown") }
}

const sendThrough = Effect.fnUntraced(function* (
  campaign: PushCampaign,
  send: Send,
  claims: ReadonlyArray<ClaimedDelivery>,
) {
  const [reachable, others] = [
    claims.flatMap((delivery) => (delivery.token === null ? [] : [{ delivery, token: delivery.token }])),
    claims.filter(({ token }) => token === null),
  ]
  const messages = reachable.map(({ delivery, token }) => writeMessage(campaign, delivery, token))
  const outcomes = messages.length === 0 ? [] : send === null ? messages.map(() => unconfigured) : yield* send(messages)
  const answered = reachable.map(({ delivery }, at) => ({ delivery, outcome: outcomes[at] ?? unanswered }))
  return [
    ...answered,
    ...others.map((delivery) => ({ delivery, outcome: inactive })),
  ] satisfies ReadonlyArray<AnsweredDelivery>
})

/** The calls of a batch: which deliveries it has, sending them, and writing what became of them. */
export const makeSendBatch = ({ clock, ids, push, tenants, findAccount, transact }: BatchPorts) => {
  const findSend = Effect.fnUntraced(function* (projectId: string, provider: PushProvider) {
    const account = yield* findAccount(projectId, provider)
    if (account !== null) return ((messages) => push.send(account, messages)) satisfies Send
    const { development } = push
    return development === null ? null : (((messages) => development(projectId, provider, messages)) satisfies Send)
  })

  const failCampaign = Effect.fnUntraced(function* (db: PushDb, { id }: PushCampaign, error: string) {
    const locked = Option.getOrNull(yield* db.pushCampaigns.lock(id))
    if (locked?.status !== "sending") return
    yield* Effect.orDie(db.pushCampaigns.update(id, { status: "failed", error, updated_at: clock.now() }))
  })

  // Before a claim: nothing that may fail lies between that and the calls.
  const findSends = Effect.fnUntraced(function* (projectId: string, without: ReadonlySet<PushProvider>) {
    const sends = new Map<PushProvider, Send>()
    for (const provider of providers)
      if (!without.has(provider)) sends.set(provider, yield* findSend(projectId, provider))
    return sends
  })

  const claimIn = (db: PushDb, campaign: PushCampaign, { limit, after }: BatchLimits, sends: Sends) =>
    db.pushDeliveries.claim(campaign.id, {
      ...{ limit, after, providers: [...sends.keys()], now: clock.now() },
      properties: listPropertyKeys(campaign.title, campaign.body),
    })

  /** Writes what became of a batch, and of its campaign, and claims the next one where `claimNext` is given, in one transaction. */
  const writeResults = (
    projectId: string,
    campaign: PushCampaign,
    { claimedAt, verdict }: { readonly claimedAt: Date; readonly verdict: Verdict },
    claimNext: ((db: PushDb) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>) | null,
  ) =>
    transact(projectId, (db) =>
      Effect.gen(function* () {
        // First, so that no other batch of it begins; with its results, so that nobody sees a failed campaign without them.
        if (verdict.failure !== null) yield* failCampaign(db, campaign, verdict.failure)
        const now = clock.now()
        const [changed, claims] = yield* together([
          db.pushDeliveries.finish(verdict.results, claimedAt, now),
          claimNext === null ? Effect.succeed([]) : claimNext(db),
        ])
        if (verdict.dead.length > 0) yield* db.pushDeliveries.deactivate(verdict.dead, now)
        const sent = changed.filter(({ status }) => status === "sent")
        if (sent.length > 0)
          yield* db.events.insertCaused(
            sent.map(({ id, app_user_id }) => ({
              ...{ id: ids.uuid(), app_user_id, event_name: "push_sent", occurred_at: now },
              ...{ properties: { campaign_id: campaign.id, delivery_id: id }, cause_key: `push/${id}/push_sent` },
            })),
          )
        // Last: the other batches of the campaign wait for this row until the commit.
        yield* db.pushStats.add(campaign.id, countChanges(changed))
        return claims
      }),
    )

  return {
    /** The providers that a project can send nothing through. */
    findMissing: Effect.fnUntraced(function* (projectId: string) {
      const missing: Array<PushProvider> = []
      for (const provider of providers) if ((yield* findSend(projectId, provider)) === null) missing.push(provider)
      return missing
    }),

    /** Claims deliveries that are due, in a transaction of its own. Answers null where nothing was due. */
    claimBatch: Effect.fn("push.claimBatch")(function* (
      projectId: string,
      campaign: PushCampaign,
      limits: BatchLimits,
    ) {
      const sends = yield* findSends(projectId, limits.without)
      const claims = yield* tenants.transact(projectId, (db) => claimIn(db, campaign, limits, sends))
      return asBatch(claims, sends)
    }),

    /**
     * Sends what was claimed, and writes what became of it in one transaction with the claim of the next batch, which `planNext`
     * describes; null claims nothing. A claim is committed before the provider is called, and nothing is locked during the
     * call [E9]. Answers the verdict, and the next batch; null where nothing was claimed.
     */
    sendBatch: Effect.fn("push.sendBatch")(function* (
      projectId: string,
      campaign: PushCampaign,
      { claims, claimedAt, sends }: ClaimedBatch,
      planNext: (verdict: Verdict) => BatchLimits | null,
    ) {
      const groups = [...Map.groupBy(claims, ({ provider }) => provider)]
      const sent = yield* Effect.all(
        groups.map(([provider, own]) => sendThrough(campaign, sends.get(provider) ?? null, own)),
        { concurrency: "unbounded" },
      )
      const verdict = judgeBatch(sent.flat(), clock.now(), (below) => ids.integer(below))
      const again = { schedule: writeAgain, times: writesAgain }
      const limits = planNext(verdict)
      const next = limits === null ? null : yield* Effect.exit(findSends(projectId, limits.without))
      const claimNext =
        limits !== null && next !== null && Exit.isSuccess(next)
          ? (db: PushDb) => claimIn(db, campaign, limits, next.value)
          : null
      const written = failWithControl(writeResults(projectId, campaign, { claimedAt, verdict }, claimNext))
      const claimed = yield* Effect.retry(written, again).pipe(Effect.catchTag("ServiceUnavailable", Effect.die))
      return { verdict, next: next === null ? null : asBatch(claimed, yield* next) }
    }),
  }
}
