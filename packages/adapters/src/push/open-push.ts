import type { Clock } from "@hearth/core"
import type { PushGateway, PushOutcome } from "@hearth/core/push"
import { Effect } from "effect"
import { developmentGateway, type KeptPush } from "./development.ts"
import type { PushAddresses } from "./settings.ts"

/** How pushes go out. */
export interface PushConfig {
  readonly addresses: PushAddresses
  /** Whether pushes of projects without credentials are kept: where the service is embedded [H4.2]. */
  readonly development: boolean
}

/** The push gateway of a process. */
export interface OpenPush {
  readonly gateway: PushGateway
  /** What the development gateway keeps, the newest first; null where there is none. */
  readonly kept: (() => ReadonlyArray<KeptPush>) | null
  close(): Promise<void>
}

const notReady: PushOutcome = { kind: "misconfigured", reason: "NotSupported" }

/** Opens the gateway to the providers, and the development gateway where it is asked for. Nothing is connected until a push is sent. */
export const openPush = ({ development }: PushConfig, clock: Clock): OpenPush => {
  const local = development ? developmentGateway(clock) : null
  return {
    gateway: {
      send: (_account, messages) => Effect.succeed(messages.map(() => notReady)),
      development: local?.accept ?? null,
    },
    kept: local?.list ?? null,
    close: async () => {},
  }
}
