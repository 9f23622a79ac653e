import type { PushProvider } from "../push-token.ts"
import type { ClaimedDelivery, DeadDevice, DeliveryResult } from "./deliveries-port.ts"
import type { PushOutcome } from "./gateway.ts"

/** How often a delivery is tried at most, and for how long after it was due. */
const mostTries = 8
const mostMillis = 24 * 60 * 60_000

// 15 s, 1 min, 4 min, 16 min, 64 min, then 4 h each.
const firstWaitMillis = 15_000
const longestWaitMillis = 4 * 60 * 60_000
// At least so much is added to what a provider asks for, so that not everybody comes back at once.
const leastSpreadMillis = 1_000

// A share of dead tokens above this is our own fault [E9]. Of one provider it is looked at in batches that say something.
const mostDead = 0.2
const leastDead = 2
const telling = 20

// A batch of which more than this is to be tried again makes the campaign wait for that provider.
const mostRetried = 0.5

/** A claimed delivery, and what the provider or we have said to it. */
export interface AnsweredDelivery {
  readonly delivery: ClaimedDelivery
  readonly outcome: PushOutcome
}

/** What a batch has come to. */
export interface Verdict {
  readonly results: ReadonlyArray<DeliveryResult>
  readonly dead: ReadonlyArray<DeadDevice>
  /** Why the campaign fails, a sentence; null where it goes on. */
  readonly failure: string | null
  /** Until when providers are to be left alone. */
  readonly pauses: ReadonlyMap<PushProvider, Date>
}

/**
 * When a delivery is tried again after so many tries: when the provider says, or else after waits that grow fourfold, and up to
 * half as long again at random. `random` is a whole number below the given one.
 */
export const nextTryAt = (
  tries: number,
  afterSeconds: number | null,
  now: Date,
  random: (below: number) => number,
): Date => {
  const wait =
    afterSeconds === null
      ? Math.min(firstWaitMillis * 4 ** (tries - 1), longestWaitMillis)
      : Math.max(0, Math.min(afterSeconds * 1_000, 2 * mostMillis))
  const spread = afterSeconds === null ? wait / 2 : Math.max(leastSpreadMillis, wait / 10)
  return new Date(now.getTime() + Math.ceil(wait) + random(Math.ceil(spread) + 1))
}

const judgeRetry = (
  { delivery, outcome }: AnsweredDelivery & { readonly outcome: PushOutcome & { readonly kind: "retry" } },
  now: Date,
  random: (below: number) => number,
): Pick<DeliveryResult, "status" | "error" | "try_at"> => {
  const try_at = nextTryAt(delivery.tries, outcome.after_seconds, now, random)
  const isOver = delivery.tries >= mostTries || try_at.getTime() - delivery.fire_at.getTime() > mostMillis
  return isOver
    ? { status: "failed", error: outcome.reason, try_at: null }
    : { status: "pending", error: outcome.reason, try_at }
}

const judgeOne = (answered: AnsweredDelivery, now: Date, random: (below: number) => number): DeliveryResult => {
  const { delivery, outcome } = answered
  const of = { id: delivery.id, app_user_id: delivery.app_user_id }
  if (outcome.kind === "sent") return { ...of, status: "sent", error: null, try_at: null }
  if (outcome.kind === "retry") return { ...of, ...judgeRetry({ delivery, outcome }, now, random) }
  return { ...of, status: outcome.kind === "unknown" ? "unknown" : "failed", error: outcome.reason, try_at: null }
}

// What has no answer yet, or was never asked for, says nothing about tokens.
const saysSomething = ({ delivery, outcome: { kind } }: AnsweredDelivery) =>
  kind === "sent" || kind === "dead_token" || (kind === "rejected" && delivery.token !== null)

const countUsers = (batch: ReadonlyArray<AnsweredDelivery>) =>
  new Set(batch.map(({ delivery }) => delivery.app_user_id)).size

/** Whether too many are dead, of the devices and of their users: one user with made-up tokens fails nobody else's campaign. */
const isTooDead = (batch: ReadonlyArray<AnsweredDelivery>, atLeast: number): boolean => {
  const answered = batch.filter(saysSomething)
  const dead = answered.filter(({ outcome }) => outcome.kind === "dead_token")
  return (
    answered.length >= atLeast &&
    dead.length >= leastDead &&
    dead.length > mostDead * answered.length &&
    countUsers(dead) > mostDead * countUsers(answered)
  )
}

const findFailure = (batch: ReadonlyArray<AnsweredDelivery>, byProvider: Groups): string | null => {
  for (const { delivery, outcome } of batch) {
    if (outcome.kind === "misconfigured")
      return `${delivery.provider} refuses the project's credentials: ${outcome.reason}.`
    if (outcome.kind === "bad_payload") return `${delivery.provider} refuses the payload: ${outcome.reason}.`
  }
  const isFault = isTooDead(batch, 0) || byProvider.some(([, own]) => isTooDead(own, telling))
  return isFault
    ? "More than 20 % of a batch of devices were refused as unknown, so no device was deactivated: look at the credentials."
    : null
}

type Groups = ReadonlyArray<readonly [PushProvider, ReadonlyArray<AnsweredDelivery>]>

const findPause = (own: ReadonlyArray<AnsweredDelivery>, results: ReadonlyMap<string, DeliveryResult>): Date | null => {
  const times = own.flatMap(({ delivery }) => results.get(delivery.id)?.try_at ?? [])
  if (times.length <= mostRetried * own.length) return null
  return new Date(Math.min(...times.map((time) => time.getTime())))
}

/** What a batch comes to: a state for each delivery, devices that are dead, and whether and when the campaign goes on [E9]. */
export const judgeBatch = (
  batch: ReadonlyArray<AnsweredDelivery>,
  now: Date,
  random: (below: number) => number,
): Verdict => {
  const byProvider = [...Map.groupBy(batch, ({ delivery }) => delivery.provider)]
  const results = batch.map((answered) => judgeOne(answered, now, random))
  const byId = new Map(results.map((result) => [result.id, result]))
  const failure = findFailure(batch, byProvider)
  const dead = batch.flatMap(({ delivery: { push_token_id, claimed_at }, outcome }) =>
    outcome.kind === "dead_token"
      ? [{ push_token_id, reason: outcome.reason, since: outcome.since ?? claimed_at }]
      : [],
  )
  const pauses = byProvider.flatMap(([provider, own]) => {
    const until = findPause(own, byId)
    return until === null ? [] : [[provider, until] as const]
  })
  return { results, dead: failure === null ? dead : [], failure, pauses: new Map(pauses) }
}
