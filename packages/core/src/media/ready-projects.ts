import { Effect, Option } from "effect"
import type { LimitLookups } from "../access/limit-lookups.ts"
import { makeTtlCache } from "../access/ttl-cache.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import { isUuid } from "../schema.ts"

// As old as what access remembers may be [B1].
const freshMillis = 5_000

/** Makes the check whether there is a project of this id, for callers without a credential. */
export const makeReadyProjects = (
  { clock, control, revocations }: Pick<Ports<unknown, ProjectsDb>, "clock" | "control" | "revocations">,
  limit: LimitLookups,
) => {
  const ready = makeTtlCache({
    ...{ clock, revocations, millis: freshMillis },
    lookup: (id) => {
      const found = control.read((db) => db.projects.find({ id, is_ready: true }))
      return limit("control", Effect.map(found, Option.isSome))
    },
    dependsOn: (id) => [id],
  })
  return (id: string) => (isUuid(id) ? ready.get(id) : Effect.succeed(false))
}
