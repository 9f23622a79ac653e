import type { Clock } from "@hearth/core"
import type { PushAccount, PushMessage, PushOutcome } from "@hearth/core/push"
import { keepPushAccounts } from "./accounts.ts"
import { type ApnsAddresses, makeApnsClient } from "./apns/apns-client.ts"
import { makeFcmClient } from "./fcm/fcm-client.ts"
import type { PushTiming } from "./timing.ts"

/** Sends pushes of any account. */
export interface PushSender {
  /** What became of each message, in their order. Never rejects. After `stopping` is aborted none is begun. */
  send(
    account: PushAccount,
    messages: ReadonlyArray<PushMessage>,
    stopping: AbortSignal,
  ): Promise<ReadonlyArray<PushOutcome>>
  /** Lets what is under way finish, and hangs up. */
  close(): Promise<void>
}

/** Where the providers are, and how long they may take. */
export interface SenderSettings {
  readonly apns: ApnsAddresses
  /** Null is Google's own. */
  readonly pushBUrl: string | null
  readonly timing: PushTiming
}

/** Sends to both providers, with a client for each account. */
export const makePushSender = ({ apns, pushBUrl, timing }: SenderSettings, clock: Clock): PushSender => {
  const accounts = keepPushAccounts((account) =>
    account.provider === "push_a"
      ? makeApnsClient(account, apns, clock, timing)
      : makeFcmClient(account, pushBUrl, clock, timing),
  )
  return {
    send: (account, messages, stopping) => accounts.find(account).send(messages, stopping),
    close: accounts.close,
  }
}
