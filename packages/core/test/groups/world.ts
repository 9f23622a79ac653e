import type { Failure, TenantDb } from "@hearth/core"
import {
  type GroupChanges,
  makeAdminGroups,
  makeDepartFromGroups,
  makeGroupInvites,
  makeGroups,
  makeMemberships,
  type NewGroup,
} from "@hearth/core/groups"
import { ContentRejected, type Findings, type Moderate, type ModerationState } from "@hearth/core/moderation"
import { testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"

/** What moderation was told, in order. */
type Told = ReadonlyArray<readonly [name: string, ...details: ReadonlyArray<unknown>]>

/** Moderation that holds a text with `hold`, flags one with `flag`, refuses one with `reject`, and remembers what it is told. */
const recordedModeration = () => {
  const told: Array<readonly [string, ...ReadonlyArray<unknown>]> = []
  const moderate: Moderate<TenantDb> = {
    check: (_, { texts, urls }) =>
      Effect.suspend(() => {
        told.push(["check", texts, urls])
        const has = (word: string) => texts.some((text) => text?.includes(word))
        if (has("reject")) return Effect.fail(new ContentRejected())
        const action = has("hold") ? "hold" : has("flag") ? "flag" : null
        return Effect.succeed<Findings>({ action, rule_id: null, reason: null, excerpt: "" })
      }),
    record: (_, { action }, content, before) =>
      Effect.sync((): ModerationState => {
        told.push(["record", action, content, before])
        return before === "rejected" ? before : action === "hold" ? "held" : (before ?? "shown")
      }),
    isTrusted: () => Effect.succeed(false),
    noteChange: (_, type, id) => Effect.sync(() => void told.push(["noteChange", type, id])),
  }
  return { moderate, told: (): Told => told.splice(0) }
}

const plain: NewGroup = {
  ...{ name: "Runners", description: null, avatar_url: null },
  ...{ is_public: true, max_members: 100, metadata: {} },
}

/** The most of a page. */
export const all = { limit: 1_000, offset: 0 }

/** A project with users and the use cases of groups, with moderation that tells what it was told. */
export const groupsWorld = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { core, ports, run, tenants } = world
  const { moderate, told } = recordedModeration()
  const groups = makeGroups(ports, core.background, core.limits, moderate)
  const memberships = makeMemberships(ports, core.background, core.limits)
  const invites = makeGroupInvites(ports, core.background)
  const admin = makeAdminGroups(ports, core.background, moderate)
  const transact = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => run(tenants.transact(projectId, work))
  const user = async () => (await world.aSignedInUser(projectId)).userId
  const create = (owner: string, given: Partial<NewGroup> = {}) =>
    run(groups.create(projectId, owner, { ...plain, ...given }))

  return {
    ...{ world, projectId, run, transact, user, create, told, groups, memberships, invites, admin, plain },
    depart: (userId: string) => transact((db) => makeDepartFromGroups(ports)(db, userId)),
    /** A group with its owner, an admin, a member and somebody who is none of these. */
    staffed: async (given: Partial<NewGroup> = {}) => {
      const [owner, officer, member, stranger] = [await user(), await user(), await user(), await user()]
      const group = await create(owner, given)
      await run(admin.addMember(projectId, group.id, { app_user_id: officer, role: "admin" }))
      await run(admin.addMember(projectId, group.id, { app_user_id: member, role: "member" }))
      return { id: group.id, group, owner, officer, member, stranger }
    },
    join: (userId: string, groupId: string) => memberships.join(projectId, userId, groupId),
    change: (userId: string, groupId: string, changes: GroupChanges) =>
      groups.update(projectId, userId, groupId, changes),
    stored: async (id: string) => Option.getOrNull(await transact((db) => db.groups.find({ id }))),
    /** The roles of the members by their ids. */
    roles: async (groupId: string) => {
      const { rows } = await run(admin.members(projectId, groupId, all))
      return Object.fromEntries(rows.map(({ app_user_id, role }) => [app_user_id, role]))
    },
    /** The events of groups about a user, the oldest first, with the group that they name. */
    events: async (userId: string) => {
      const { rows } = await run(core.events.ofUser(projectId, userId, all))
      return rows
        .filter(({ event_name }) => event_name.startsWith("group_"))
        .toReversed()
        .map(({ event_name, properties }) => [event_name, properties["group_id"]])
    },
    code: (effect: Effect.Effect<unknown, Failure>) =>
      run(Effect.match(effect, { onFailure: ({ code }) => code, onSuccess: () => "ok" })),
  }
}
