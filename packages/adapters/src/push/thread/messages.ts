import type { PushAccount, PushMessage, PushOutcome } from "@hearth/core/push"

/** What the thread is asked for. `batch` tells batches apart. */
export type ThreadRequest =
  | {
      readonly kind: "send"
      readonly batch: number
      readonly account: PushAccount
      readonly messages: ReadonlyArray<PushMessage>
    }
  /** Begin no more pushes of the batch. */
  | { readonly kind: "stop"; readonly batch: number }
  /** Let what is under way finish, and hang up. */
  | { readonly kind: "close" }

/** What the thread says: that it takes requests, what became of a batch, that it has closed. */
export type ThreadAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "sent"; readonly batch: number; readonly outcomes: ReadonlyArray<PushOutcome> }
  | { readonly kind: "closed" }
