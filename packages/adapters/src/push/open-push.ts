import type { Clock, Signals } from "@hearth/core"
import type { PushAccount, PushGateway, PushOutcome } from "@hearth/core/push"
import { Effect } from "effect"
import { type ApnsAddresses, appleAddresses } from "./apns/apns-client.ts"
import { developmentGateway, type KeptPush } from "./development.ts"
import { makePushSender } from "./sender.ts"
import type { PushAddresses } from "./settings.ts"
import { makeSenderInThread } from "./thread/sender-in-thread.ts"
import { type PushTiming, pushTiming } from "./timing.ts"

/** How pushes go out. */
export interface PushConfig {
  readonly addresses: PushAddresses
  /** Whether pushes of projects without credentials are kept: where the service is embedded [H4.2]. */
  readonly development: boolean
}

/** What the gateway is made with besides. */
export interface PushParts {
  readonly clock: Clock
  readonly signals: Signals
  /** The usual times where left out. */
  readonly timing?: PushTiming
  /** The environments of APNs where no other address is configured; Apple's own where left out. */
  readonly apns?: ApnsAddresses
  /** Whether pushes are sent from a thread of their own, by the clock of the machine; not where left out. */
  readonly inThread?: boolean
}

/** The push gateway of a process. */
export interface OpenPush {
  readonly gateway: PushGateway
  /** What the development gateway keeps, the newest first; null where there is none. */
  readonly kept: (() => ReadonlyArray<KeptPush>) | null
  /** Lets what is under way finish, and hangs up. */
  close(): Promise<void>
}

// These say that a token belongs to another app: where there are many, our configuration is wrong (docs/push.md).
const mismatches = new Set(["DeviceTokenNotForTopic", "SENDER_ID_MISMATCH"])

/** Tells operators of what is probably a fault of a project's configuration, once per batch. */
const signalFaults = (
  signals: Signals,
  { project_id, provider }: PushAccount,
  outcomes: ReadonlyArray<PushOutcome>,
) => {
  const refused = outcomes.find((outcome) => outcome.kind === "misconfigured")
  if (refused?.kind === "misconfigured")
    signals.emit({ name: "push_misconfigured", project_id, provider, reason: refused.reason })
  const foreign = outcomes.filter((outcome) => outcome.kind === "dead_token" && mismatches.has(outcome.reason))
  if (foreign.length > 0) signals.emit({ name: "push_tokens_mismatch", project_id, provider, tokens: foreign.length })
}

/** Opens the gateway to the providers, and the development gateway where it is asked for. Nothing is connected until a push is sent. */
export const openPush = (
  { addresses, development }: PushConfig,
  { clock, signals, timing = pushTiming, apns = appleAddresses, inThread = false }: PushParts,
): OpenPush => {
  const local = development ? developmentGateway(clock) : null
  const { push_a, push_b } = addresses
  const apnsAddresses = push_a === null ? apns : { production: push_a, sandbox: push_a }
  const settings = { apns: apnsAddresses, pushBUrl: push_b, timing }
  const sender = inThread
    ? makeSenderInThread(settings, (reason) => signals.emit({ name: "push_thread_lost", reason }))
    : makePushSender(settings, clock)
  return {
    gateway: {
      send: (account, messages) =>
        Effect.promise((stopping) => sender.send(account, messages, stopping)).pipe(
          Effect.tap((outcomes) => Effect.sync(() => signalFaults(signals, account, outcomes))),
        ),
      development: local?.accept ?? null,
    },
    kept: local?.list ?? null,
    close: sender.close,
  }
}
