import { Effect, Option, Schema, Struct } from "effect"
import { retryOnDuplicate } from "../auth/retry-on-duplicate.ts"
import { Forbidden } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import { Duplicate, type Slice } from "../ports/table.ts"
import { Email, partial } from "../schema.ts"
import { checkRole } from "./check-role.ts"
import { DeveloperNotFound, LastOwner } from "./failures.ts"
import type { ProjectsDb } from "./port.ts"
import { Member, type MemberRow, type Role } from "./records.ts"

const fields = Struct.pick(Member.fields, ["role"])

/** The email and role of a new member, who is a viewer by default; one who is a member already keeps the role by default. */
export const NewMember = Schema.Struct({ email: Email, ...partial(fields) }).annotate({
  identifier: "NewMember",
})

/** What can be changed about a member. */
export const MemberChanges = Schema.Struct(partial(fields)).annotate({ identifier: "MemberChanges" })

/** Fails when somebody other than an owner touches the role of owner [B3]. */
const refuseOwners = (caller: Role, ...touched: ReadonlyArray<Role | undefined>) =>
  caller !== "owner" && touched.includes("owner")
    ? Effect.fail(new Forbidden(undefined, "Only owners may add, change or remove owners."))
    : Effect.void

/** Fails when `member` is the last owner in `roles`. */
const keepAnOwner = (member: MemberRow, roles: ReadonlyMap<string, Role>) =>
  member.role === "owner" && [...roles.values()].filter((role) => role === "owner").length <= 1
    ? Effect.fail(new LastOwner())
    : Effect.void

/** Locks the roles that a change of a member depends on, and answers them with the caller's, who may change members. */
const lockRoles = Effect.fnUntraced(function* (db: ProjectsDb, projectId: string, callerId: string, memberId: string) {
  const roles = yield* db.members.lockRoles(projectId, [callerId, memberId])
  return { roles, caller: yield* checkRole(roles.get(callerId)) }
})

const getMember = (db: ProjectsDb, projectId: string, developerId: string) =>
  orFail(db.members.find({ project_id: projectId, developer_id: developerId }), DeveloperNotFound)

/** The members of a project and their roles (decisions, C). The caller's role is the one that holds under the lock. */
export const makeMembers = ({
  clock,
  control,
  ids,
  revocations,
}: Pick<Ports<unknown, ProjectsDb>, "clock" | "control" | "ids" | "revocations">) => {
  // Every change locks the owners, the caller and the member before it reads a role: two owners cannot leave at once, and
  // whoever has lost a role cannot use it.
  const setRole = Effect.fnUntraced(function* (
    db: ProjectsDb,
    caller: Role,
    member: MemberRow,
    role: Role,
    roles: ReadonlyMap<string, Role>,
  ) {
    yield* refuseOwners(caller, member.role, role)
    if (role !== "owner") yield* keepAnOwner(member, roles)
    yield* Effect.orDie(db.members.update(member.id, { role }))
  })

  /** Changes a member. It holds at once, also where the answer to the commit is lost [B1]. */
  const change = <A, E>(developerId: string, work: (db: ProjectsDb) => Effect.Effect<A, E>) =>
    Effect.ensuring(control.transact(work), revocations.announce([developerId]))

  const view = Effect.fnUntraced(function* (db: ProjectsDb, projectId: string, developerId: string) {
    const member = yield* getMember(db, projectId, developerId)
    const developer = yield* orFail(db.developers.find({ id: developerId }), DeveloperNotFound)
    const { email, name } = developer
    return { developer_id: developerId, email, name, role: member.role, created_at: member.created_at }
  })

  return {
    /** The members, the oldest membership first [B3]. */
    list: (projectId: string, slice: Slice) => control.read((db) => db.members.pageOfProject(projectId, slice)),

    /**
     * Makes a developer a member. An existing member gets the new role, where one is given. `FORBIDDEN` by the caller's role [B2, B3];
     * `DEVELOPER_NOT_FOUND` for an email without an account; `LAST_OWNER`.
     */
    create: Effect.fn("members.create")((projectId: string, callerId: string, input: typeof NewMember.Type) => {
      const attempt = control.transact(
        Effect.fnUntraced(function* (db) {
          const found = yield* db.developers.find({ email: input.email })
          // The caller first: whoever lost the right does not learn which emails have an account.
          const memberId = Option.match(found, { onNone: () => callerId, onSome: ({ id }) => id })
          const { roles, caller } = yield* lockRoles(db, projectId, callerId, memberId)
          const developer = yield* orFail(Effect.succeed(found), DeveloperNotFound)
          const present = yield* db.members.find({ project_id: projectId, developer_id: developer.id })
          // Who came after the locks were taken is not among the roles.
          if (Option.isSome(present) && !roles.has(developer.id)) {
            return yield* Effect.fail(new Duplicate({ key: ["project_id", "developer_id"] }))
          }
          if (Option.isNone(present)) {
            yield* refuseOwners(caller, input.role)
            const membership = { id: ids.uuid(), project_id: projectId, developer_id: developer.id }
            yield* db.members.insert({ ...membership, role: input.role ?? "viewer", created_at: clock.now() })
          } else if (input.role !== undefined) yield* setRole(db, caller, present.value, input.role, roles)
          return yield* view(db, projectId, developer.id)
        }),
      )
      // A concurrent call created the member. The next attempt changes its role, where nobody removes it meanwhile.
      return retryOnDuplicate(attempt).pipe(Effect.tap(({ developer_id }) => revocations.announce([developer_id])))
    }),

    /** Changes a member's role. `FORBIDDEN` by the caller's role [B2]; `DEVELOPER_NOT_FOUND` for no member; `LAST_OWNER`. */
    update: Effect.fn("members.update")(
      (projectId: string, callerId: string, developerId: string, changes: typeof MemberChanges.Type) =>
        change(
          developerId,
          Effect.fnUntraced(function* (db) {
            const { roles, caller } = yield* lockRoles(db, projectId, callerId, developerId)
            const member = yield* getMember(db, projectId, developerId)
            if (changes.role !== undefined) yield* setRole(db, caller, member, changes.role, roles)
            return yield* view(db, projectId, developerId)
          }),
        ),
    ),

    /** Removes a member. `FORBIDDEN` by the caller's role [B2]; `DEVELOPER_NOT_FOUND` for no member; `LAST_OWNER`. */
    remove: Effect.fn("members.remove")((projectId: string, callerId: string, developerId: string) =>
      change(
        developerId,
        Effect.fnUntraced(function* (db) {
          const { roles, caller } = yield* lockRoles(db, projectId, callerId, developerId)
          const member = yield* getMember(db, projectId, developerId)
          yield* refuseOwners(caller, member.role)
          yield* keepAnOwner(member, roles)
          yield* db.members.remove({ id: member.id })
        }),
      ),
    ),
  }
}
