import { Effect } from "effect"
import { Forbidden } from "../failure.ts"
import type { ProjectsDb } from "./port.ts"
import type { Role } from "./records.ts"

/** The refusal of a caller with this role, or without any: a project that does not exist is answered like one of others [B2]. */
export const refuseRole = (role: Role | null | undefined, least: Role): Forbidden => {
  if (role === null || role === undefined)
    return new Forbidden(undefined, "There is no project with this id among yours.")
  const needed = least === "owner" ? "owner" : "admin or owner"
  return new Forbidden(undefined, `This needs the role ${needed} in the project; yours is ${role}.`)
}

/** Fails where the role does not allow to change a project: that of a viewer, and none [B2, B3]. */
export const checkRole = (role: Role | null | undefined, least: "admin" | "owner" = "admin") =>
  role === "owner" || (role === "admin" && least === "admin")
    ? Effect.succeed(role)
    : Effect.fail(refuseRole(role, least))

/**
 * Fails where the caller may not change the project, by the role that holds until the transaction ends: what was remembered
 * of the caller before may be over.
 */
export const checkCaller = (db: ProjectsDb, projectId: string, callerId: string) =>
  Effect.flatMap(db.members.lockRole(projectId, callerId), (role) => checkRole(role))

/** The same for a removal of the project, which is the owners'. */
export const checkOwner = (db: ProjectsDb, projectId: string, callerId: string) =>
  Effect.flatMap(db.members.lockRole(projectId, callerId, { forRemoval: true }), (role) => checkRole(role, "owner"))
