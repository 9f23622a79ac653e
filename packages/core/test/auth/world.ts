import type { IdentityProvider, TenantDb } from "@hearth/core"
import type { NewProject } from "@hearth/core/projects"
import { type IdentityClaims, type TestWorldOptions, testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** The audience of `idp_a` in the project, and that of `idp_b`. */
export const audiences = { idp_a: "com.example.app", idp_b: "123.apps.example.com" } as const

/** A world with a project whose users can sign in every way. It begins at noon of 1 March 2026. */
export const authWorld = async (settings: Partial<NewProject> = {}, options: TestWorldOptions = {}) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z", ...options })
  const project = { bundle_id: audiences.idp_a, oauth_client_id: audiences.idp_b, ...settings }
  const { projectId, ownerId } = await world.aProjectWithOwner(project)
  const { auth } = world.core
  const read = <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => world.run(world.tenants.read(projectId, work))

  return {
    world,
    auth,
    projectId,
    ownerId,
    read,
    run: world.run,
    /** How an effect fails. */
    refusal: <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect)),
    /** Runs effects concurrently and splits their outcomes. */
    atOnce: async <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) => {
      const outcomes = await world.run(Effect.all(effects.map(Effect.result), { concurrency: "unbounded" }))
      return {
        successes: outcomes.flatMap((outcome) => (outcome._tag === "Success" ? [outcome.success] : [])),
        failures: outcomes.flatMap((outcome) => (outcome._tag === "Failure" ? [outcome.failure] : [])),
      }
    },
    /** A token of a provider for the project's app. */
    identity: (provider: IdentityProvider, sub: string, claims: Partial<IdentityClaims> = {}) =>
      world.identities.issue(provider, { sub, aud: audiences[provider], ...claims }),
    anonymous: () => world.run(auth.anonymous(projectId)),
    users: () => read((db) => db.users.list({}, [["created_at", "asc"]])),
    links: () => read((db) => db.accountLinks.list({}, [["created_at", "asc"]])),
    families: () => read((db) => db.authSessions.families.list({}, [["created_at", "asc"]])),
    /** The caller of a session token. */
    callerOf: (token: string) => world.run(world.core.access.session(projectId, token)),
    /** Another project with a copy of the users and sessions. Tokens stay valid in their own project only. */
    aCopy: async () => {
      const copy = await world.aProjectWithOwner(project)
      const rows = await read((db) =>
        Effect.all([
          db.users.list({}, []),
          db.authSessions.families.list({}, []),
          db.authSessions.refreshTokens.list({}, []),
        ]),
      )
      const write = world.tenants.transact(copy.projectId, (db) =>
        Effect.gen(function* () {
          const [users, families, refreshTokens] = rows
          for (const row of users) yield* db.users.insert(row)
          for (const row of families) yield* db.authSessions.families.insert(row)
          for (const row of refreshTokens) yield* db.authSessions.refreshTokens.insert(row)
        }),
      )
      await world.run(write)
      return copy.projectId
    },
    disable: (userId: string) => world.run(world.core.users.change(projectId, userId, { is_disabled: true })),
  }
}

/** A world with a project whose users can sign in every way. */
export type AuthWorld = Awaited<ReturnType<typeof authWorld>>

/** Texts that are not the session token of a live session of the project, each with the reason. */
export const badSessions = async ({ world, auth, projectId, anonymous, run }: AuthWorld) => {
  const [ended, removed] = [await anonymous(), await anonymous()]
  await run(auth.sessions.logout(projectId, ended.refresh_token))
  await run(world.core.users.remove(projectId, removed.user.id))
  const disabled = await anonymous()
  await run(world.core.users.change(projectId, disabled.user.id, { is_disabled: true }))
  return [
    ["no token", "a.b.c"],
    ["nothing", ""],
    ["a refresh token", (await anonymous()).refresh_token],
    ["of a session that has ended", ended.session_token],
    ["of a user who is gone", removed.session_token],
    ["of a user who is disabled", disabled.session_token],
  ] as const
}
