import { Effect, Option, Schema, Struct } from "effect"
import { Forbidden } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import { Email, partial, withDefaults } from "../schema.ts"
import { DeveloperNotFound, LastOwner } from "./failures.ts"
import type { ProjectsDb } from "./port.ts"
import { Member, type MemberRow, type Role } from "./records.ts"

const fields = Struct.pick(Member.fields, ["role"])

/** The email and role of a new member. The role is viewer by default. */
export const NewMember = Schema.Struct({ email: Email, ...withDefaults(fields, { role: "viewer" }) }).annotate({
  identifier: "NewMember",
})

/** What can be changed about a member. */
export const MemberChanges = Schema.Struct(partial(fields)).annotate({ identifier: "MemberChanges" })

/** Fails when somebody other than an owner touches the role of owner [B3]. */
const refuseOwners = (caller: Role, ...touched: ReadonlyArray<Role | undefined>) =>
  caller !== "owner" && touched.includes("owner") ? Effect.fail(new Forbidden()) : Effect.void

/** Fails when `member` is the last of the project's `owners`. */
const keepAnOwner = (member: MemberRow, owners: number) =>
  member.role === "owner" && owners <= 1 ? Effect.fail(new LastOwner()) : Effect.void

const getMember = (db: ProjectsDb, projectId: string, developerId: string) =>
  orFail(db.members.find({ project_id: projectId, developer_id: developerId }), DeveloperNotFound)

/** The members of a project and their roles (decisions, C). `caller` is the caller's role. */
export const makeMembers = ({ clock, control, ids }: Pick<Ports<unknown, ProjectsDb>, "clock" | "control" | "ids">) => {
  // Every change locks the owners before it reads a role, so that two owners cannot leave at once and no role is stale.
  const setRole = Effect.fnUntraced(function* (
    db: ProjectsDb,
    caller: Role,
    member: MemberRow,
    role: Role,
    owners: number,
  ) {
    yield* refuseOwners(caller, member.role, role)
    if (role !== "owner") yield* keepAnOwner(member, owners)
    yield* Effect.orDie(db.members.update(member.id, { role }))
  })

  const view = Effect.fnUntraced(function* (db: ProjectsDb, projectId: string, developerId: string) {
    const member = yield* getMember(db, projectId, developerId)
    const developer = yield* orFail(db.developers.find({ id: developerId }), DeveloperNotFound)
    const { email, name } = developer
    return { developer_id: developerId, email, name, role: member.role, created_at: member.created_at }
  })

  return {
    /** The members, the oldest membership first. */
    list: (projectId: string, slice: Slice) => control.read((db) => db.members.pageOfProject(projectId, slice)),

    /** Makes a developer a member. An existing member gets the new role. */
    create: Effect.fn("members.create")((projectId: string, caller: Role, input: typeof NewMember.Type) => {
      const attempt = control.transact(
        Effect.fnUntraced(function* (db) {
          const developer = yield* orFail(db.developers.find({ email: input.email }), DeveloperNotFound)
          const owners = yield* db.members.lockOwners(projectId)
          const present = yield* db.members.find({ project_id: projectId, developer_id: developer.id })
          if (Option.isSome(present)) yield* setRole(db, caller, present.value, input.role, owners)
          else {
            yield* refuseOwners(caller, input.role)
            const membership = { id: ids.uuid(), project_id: projectId, developer_id: developer.id }
            yield* db.members.insert({ ...membership, role: input.role, created_at: clock.now() })
          }
          return yield* view(db, projectId, developer.id)
        }),
      )
      // A concurrent call created the member. The second attempt changes its role.
      return attempt.pipe(
        Effect.catchTag("Duplicate", () => attempt),
        Effect.catchTag("Duplicate", Effect.die),
      )
    }),

    /** Changes a member's role. */
    update: Effect.fn("members.update")(
      (projectId: string, caller: Role, developerId: string, changes: typeof MemberChanges.Type) =>
        control.transact(
          Effect.fnUntraced(function* (db) {
            const owners = yield* db.members.lockOwners(projectId)
            const member = yield* getMember(db, projectId, developerId)
            if (changes.role !== undefined) yield* setRole(db, caller, member, changes.role, owners)
            return yield* view(db, projectId, developerId)
          }),
        ),
    ),

    /** Removes a member. */
    remove: Effect.fn("members.remove")((projectId: string, caller: Role, developerId: string) =>
      control.transact(
        Effect.fnUntraced(function* (db) {
          const owners = yield* db.members.lockOwners(projectId)
          const member = yield* getMember(db, projectId, developerId)
          yield* refuseOwners(caller, member.role)
          yield* keepAnOwner(member, owners)
          yield* db.members.remove({ id: member.id })
        }),
      ),
    ),
  }
}
