import type { NewMessage } from "@hearth/core/messaging"
import { testWorld } from "@hearth/testing"
import { Effect } from "effect"

/** A project with so many users, and short ways to make them talk. */
export const messagingWorld = async (people = 3) => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { core } = world
  const { projectId } = await world.aProjectWithOwner()
  const users: Array<string> = []
  for (let user = 0; user < people; user += 1) users.push((await world.aSignedInUser(projectId)).userId)
  const [ada = "", bob = "", eve = "", dan = ""] = users

  const open = (
    userId: string,
    type: "direct" | "group",
    participant_ids: ReadonlyArray<string>,
    name: string | null = null,
  ) => core.conversations.open(projectId, userId, { type, participant_ids, name })
  const send = (id: string, userId: string, body: string, more: Partial<NewMessage> = {}) =>
    core.messages.send(projectId, userId, id, { body, ...more })
  const { run } = world
  const bodies = async (id: string, userId: string, range: { before?: string; after?: string } = {}) => {
    const page = await run(core.messages.list(projectId, userId, id, { ...range, limit: 50, offset: 0 }))
    return page.rows.map(({ body }) => body)
  }
  return {
    ...{ world, core, projectId, run, users, ada, bob, eve, dan, open, send, bodies },
    /** Opens a group of the first users and answers its id. */
    group: async (size = people) => (await run(open(ada, "group", users.slice(1, size)))).row.id,
    direct: async (userId = ada, otherId = bob) => (await run(open(userId, "direct", [otherId]))).row.id,
    say: async (id: string, userId: string, body: string) => {
      world.clock.advance("1 second")
      return (await run(send(id, userId, body))).row.id
    },
    read: (id: string, userId: string, messageId: string | null = null) =>
      core.conversations.read(projectId, userId, id, messageId),
    list: async (userId: string) =>
      (await run(core.conversations.list(projectId, userId, { limit: 50, offset: 0 }))).rows,
    leave: (id: string, userId: string) => core.conversations.leave(projectId, userId, id),
    add: (id: string, userId: string, ids: ReadonlyArray<string>) =>
      core.conversations.addParticipants(projectId, userId, id, ids),
    block: (userId: string, otherId: string) => run(core.relations.block(projectId, userId, otherId)),
    code: <E extends { readonly code: string }>(effect: Effect.Effect<unknown, E>) =>
      run(Effect.map(Effect.flip(effect), ({ code }) => code)),
    refusal: <E>(effect: Effect.Effect<unknown, E>) => run(Effect.flip(effect)),
    together: <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
      run(Effect.all(effects.map(Effect.exit), { concurrency: "unbounded" })),
    sent: async (userId: string) =>
      (await run(world.tenants.read(projectId, (db) => db.events.pageOfUser(userId, { limit: 100, offset: 0 })))).rows
        .filter(({ event_name }) => event_name === "message_sent")
        .map(({ properties }) => properties),
  }
}
