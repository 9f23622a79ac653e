import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const actions = ["approve", "reject", "escalate"] as const

describe("decisions, reports and changes of one content at once", () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    "leave one item that says what is shown: %s [I6.3, I6.4]",
    async (seed) => {
      const world = testWorld()
      const { projectId } = await world.aProjectWithOwner()
      const target = await world.aSignedInUser(projectId)
      const reporters = await Promise.all([1, 2, 3].map(() => world.aSignedInUser(projectId)))
      const { moderation, users } = world.core
      const rule = { name: "r", rule_type: "keyword", config: { keywords: ["held"], action: "hold" }, is_active: true }
      await world.run(moderation.rules.create(projectId, rule))
      const report = ({ userId }: { userId: string }) =>
        moderation.report(projectId, userId, { target_type: "user", target_id: target.userId, reason: "rude" })
      const [first, ...others] = reporters
      const { id } = await world.run(report(first as (typeof reporters)[number]))
      const rename = (display_name: string) => users.update(projectId, target.userId, { display_name })
      const work = [
        ...actions.map((action) => moderation.queue[action](projectId, id)),
        ...actions.map((action) => moderation.queue[action](projectId, id)),
        ...others.map(report),
        rename("clean"),
        rename("held"),
        ...(seed % 3 === 0 ? [users.remove(projectId, target.userId)] : []),
      ]
      const order = work.toSorted(
        (a, b) => ((work.indexOf(a) * 7 + seed * 3) % 11) - ((work.indexOf(b) * 7 + seed * 3) % 11),
      )
      const exits = await Promise.all(
        order.map((each) => world.run(Effect.exit(each as Effect.Effect<unknown, unknown>))),
      )
      for (const exit of exits) if (exit._tag === "Failure") expect(String(exit.cause)).not.toContain("Die")
      const { status, resolved_at } = (await world.run(
        moderation.queue.escalate(projectId, id) as Effect.Effect<
          { status: string; resolved_at: Date | null },
          unknown
        >,
      )) as { status: string; resolved_at: Date | null }
      expect(["approved", "rejected"]).toContain(status)
      expect(resolved_at).not.toBeNull()
      const open = await world.run(moderation.queue.list(projectId, "pending", { limit: 10, offset: 0 }))
      expect(open.total).toBeLessThanOrEqual(1)
    },
  )
})
