import { Effect } from "effect"
import { Forbidden } from "../failure.ts"
import type { ProjectsDb } from "./port.ts"
import type { Role } from "./records.ts"

/** Fails where the role does not allow to change a project: that of a viewer, and none [B2, B3]. */
export const checkRole = (role: Role | null | undefined, least: "admin" | "owner" = "admin") =>
  role === "owner" || (role === "admin" && least === "admin") ? Effect.succeed(role) : Effect.fail(new Forbidden())

/**
 * Fails where the caller may not change the project, by the role that holds until the transaction ends: what was remembered
 * of the caller before may be over.
 */
export const checkCaller = (db: ProjectsDb, projectId: string, callerId: string) =>
  Effect.flatMap(db.members.lockRole(projectId, callerId), (role) => checkRole(role))

/** The same for a removal of the project, which is the owners'. */
export const checkOwner = (db: ProjectsDb, projectId: string, callerId: string) =>
  Effect.flatMap(db.members.lockRole(projectId, callerId, { forRemoval: true }), (role) => checkRole(role, "owner"))
