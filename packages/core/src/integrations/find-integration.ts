import { Effect, Option } from "effect"
import { type LimitLookups, limitLookups } from "../access/limit-lookups.ts"
import { makeTtlCache } from "../access/ttl-cache.ts"
import type { Ports } from "../ports/ports.ts"
import { readActive } from "./active.ts"
import type { ActiveIntegration } from "./credentials.ts"
import type { IntegrationProvider } from "./integration.ts"
import type { IntegrationsControlDb } from "./port.ts"
import { openSecrets } from "./secrets.ts"

// A change is heard of sooner; this bounds for how long a secret stays in memory.
const freshMillis = 10_000

/** Finds the active integration of a ready project; null where there is none, it is not complete, or its secret cannot be read. */
export type FindIntegration = <Provider extends IntegrationProvider>(
  projectId: string,
  provider: Provider,
) => Effect.Effect<Extract<ActiveIntegration, { readonly provider: Provider }> | null>

/**
 * Makes the look-up of active integrations, which remembers answers for at most ten seconds and forgets them when they change:
 * at once in this process, within a second in others. `projectId` is a uuid in lower case.
 */
export const makeFindIntegration = (
  {
    clock,
    control,
    revocations,
    secrets,
    signals,
  }: Pick<Ports<unknown, IntegrationsControlDb>, "clock" | "control" | "revocations" | "secrets" | "signals">,
  limit: LimitLookups = limitLookups(),
): FindIntegration => {
  const lookup = Effect.fnUntraced(function* (projectId: string, provider: IntegrationProvider) {
    const found = yield* limit(
      "control",
      control.read((db) => db.integrations.findActive(projectId, provider)),
    )
    if (Option.isNone(found)) return null
    const opened = yield* openSecrets(secrets, found.value)
    if (opened === null) signals.emit({ name: "secret_unreadable", project_id: projectId, provider })
    return opened === null ? null : readActive(found.value, opened)
  })
  const known = makeTtlCache({
    ...{ clock, revocations, millis: freshMillis },
    lookup: (key) => {
      const [projectId = "", provider = ""] = key.split(" ")
      return lookup(projectId, provider as IntegrationProvider)
    },
    dependsOn: (key) => [key.split(" ")[0] ?? ""],
  })
  return <Provider extends IntegrationProvider>(projectId: string, provider: Provider) =>
    known.get(`${projectId} ${provider}`) as Effect.Effect<Extract<
      ActiveIntegration,
      { readonly provider: Provider }
    > | null>
}
