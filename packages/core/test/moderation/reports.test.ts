import { testWorld } from "@hearth/testing"
import type { Effect } from "effect"
import { describe, expect, it } from "vitest"

/** A world in which one word is flagged and another one held, and two users of whom one writes. */
const setUp = async () => {
  const world = testWorld()
  const { core } = world
  const { projectId } = await world.aProjectWithOwner()
  const { userId: author } = await world.aSignedInUser(projectId)
  const { userId: reader } = await world.aSignedInUser(projectId)
  const run = <A, E>(effect: Effect.Effect<A, E>) => world.run(effect)
  for (const action of ["flag", "hold"]) {
    const rule = { name: action, rule_type: "keyword", config: { keywords: [`${action}me`], action } }
    await run(core.moderation.rules.create(projectId, rule))
  }
  return {
    ...{ author, core, projectId, reader, run },
    /** What the answer to a report shows of the text. */
    excerptFor: async (userId: string, target_type: "content_item" | "message" | "user", target_id: string) => {
      const report = { target_type, target_id, reason: "rude" }
      const { excerpt } = await run(core.moderation.report(projectId, userId, report))
      return excerpt
    },
    /** What moderators see of all open items. */
    queued: async () => {
      const { rows } = await run(core.moderation.queue.list(projectId, "pending", { limit: 9, offset: 0 }))
      return rows.map(({ excerpt }) => excerpt)
    },
    message: async (body: string) => {
      const opened = { type: "direct", participant_ids: [reader] } as const
      const { row } = await run(core.conversations.open(projectId, author, opened))
      return (await run(core.messages.send(projectId, author, row.id, { body }))).row.id
    },
  }
}

describe("the answer to a report shows of a text what the caller sees of it [I6.3, I6.4]:", () => {
  it("of a held name the one that others see, and the own one to its user", async () => {
    const { author, core, excerptFor, projectId, queued, reader, run } = await setUp()
    await run(core.users.update(projectId, author, { display_name: "holdme" }))
    const excerpt = await excerptFor(reader, "user", author)
    expect(excerpt).not.toContain("holdme")
    expect(excerpt).not.toBe("")
    expect(await excerptFor(author, "user", author)).toBe("holdme")
    expect(await queued()).toEqual(["holdme"])
  })

  it("of a rejected message nothing, to its sender neither", async () => {
    const { author, core, excerptFor, message, projectId, queued, reader, run } = await setUp()
    const id = await message("flagme")
    const [item] = (await run(core.moderation.queue.list(projectId, "pending", { limit: 9, offset: 0 }))).rows
    await run(core.moderation.queue.reject(projectId, item?.id ?? ""))
    expect([await excerptFor(reader, "message", id), await excerptFor(author, "message", id)]).toEqual(["", ""])
    expect(await queued()).toEqual(["flagme"])
  })

  it("of a deleted message nothing", async () => {
    const { author, core, excerptFor, message, projectId, queued, reader, run } = await setUp()
    const id = await message("flagme")
    await run(core.messages.removeOwn(projectId, author, id))
    expect(await excerptFor(reader, "message", id)).toBe("")
    expect(await queued()).toEqual(["flagme"])
  })

  it("of an item that was held and is shown with another text, that text", async () => {
    const { author, core, excerptFor, projectId, queued, reader, run } = await setUp()
    const library = await run(core.content.libraries.create(projectId, { name: "Tips" }))
    const { id } = await run(core.content.ofClients.create(projectId, author, library.id, { body: "holdme" }))
    await run(core.content.ofClients.update(projectId, author, id, { body: "fine" }))
    await run(core.content.items.update(projectId, id, { is_active: true }))
    expect(await excerptFor(reader, "content_item", id)).toBe("fine")
    expect(await queued()).toEqual(["holdme"])
  })
})
