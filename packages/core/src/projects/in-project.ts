import { Effect, Option } from "effect"
import { ProjectNotFound, TenantUnavailable } from "../failure.ts"
import type { ControlPlane } from "../ports/control-plane.ts"
import { isUuid } from "../schema.ts"
import type { ProjectsDb } from "./port.ts"

/**
 * Makes work in a project's database fail with `ProjectNotFound` where there is no such project, and with `TenantUnavailable` only where
 * there is one. The control database is asked after the failure alone; where it cannot answer either, the failure stays.
 */
export const makeInProject = (control: ControlPlane<Pick<ProjectsDb, "projects">>) => {
  const isThere = (projectId: string) =>
    isUuid(projectId)
      ? Effect.map(
          control.read((db) => db.projects.find({ id: projectId.toLowerCase(), is_ready: true })),
          Option.isSome,
        )
      : Effect.succeed(false)
  return <A, E>(projectId: string, work: Effect.Effect<A, E>): Effect.Effect<A, E | ProjectNotFound> =>
    Effect.catch(work, (failure): Effect.Effect<never, E | ProjectNotFound> => {
      if (!(failure instanceof TenantUnavailable)) return Effect.fail(failure)
      return Effect.flatMap(
        Effect.catchDefect(isThere(projectId), () => Effect.succeed(true)),
        (found) => Effect.fail(found ? failure : new ProjectNotFound()),
      )
    })
}
