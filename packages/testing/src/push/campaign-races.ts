import type { AnyWorkflow, Engagement, TenantDb } from "@hearth/core"
import type { CampaignStatus } from "@hearth/core/push"
import { Effect, Exit, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aUser } from "../users/builders.ts"
import { aPushCampaign, aPushToken } from "./builders.ts"
import type { MemoryPushGateway } from "./memory-gateway.ts"

/** What races need: processes of a service with one gateway, whose queue does nothing, and a project of theirs. */
export interface RacesHarness {
  readonly processes: readonly [Engagement, Engagement]
  readonly gateway: MemoryPushGateway
  readonly projectId: string
  readonly newId: () => string
  readonly now: () => Date
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  readonly transact: <A, E>(work: (db: TenantDb) => Effect.Effect<A, E>) => Promise<A>
  readonly close: () => Promise<void>
}

const calls = ["send", "move", "rename", "remove", "cancel", "fire", "fire again"] as const
type Call = (typeof calls)[number]

/** Where a campaign may have got to, by what has succeeded. */
const reachable = (succeeded: ReadonlySet<Call>, first: CampaignStatus): ReadonlyArray<CampaignStatus | "gone"> => {
  // What is gone was neither sent nor cancelled before.
  if (succeeded.has("remove")) return succeeded.has("send") || succeeded.has("cancel") ? [] : ["gone"]
  if (succeeded.has("cancel")) return ["cancelled"]
  if (succeeded.has("send")) return ["sent"]
  if (succeeded.has("move")) return ["scheduled"]
  return first === "scheduled" ? ["sent"] : ["draft"]
}

/**
 * What every store promises about campaigns that are sent, changed, moved, removed, cancelled and fired at once, in two
 * processes: each ends where its states lead, and no device is sent anything twice.
 */
export const campaignRaces = (name: string, open: () => Promise<RacesHarness>, runs: number) =>
  describe(`campaigns that everything happens to at once, ${name}`, { timeout: 240_000 }, () => {
    let harness: RacesHarness
    beforeAll(async () => {
      harness = await open()
      const { newId, transact } = harness
      for (let n = 0; n < 3; n += 1) {
        const user = aUser({ id: newId(), anonymous_id: newId() })
        const device = aPushToken({ id: newId(), app_user_id: user.id, token: newId() })
        await transact((db) => Effect.orDie(Effect.andThen(db.users.insert(user), db.pushTokens.insert(device))))
      }
    }, 60_000)
    afterAll(() => harness.close())

    const act = (process: Engagement, call: Call, id: string): Effect.Effect<unknown, unknown> => {
      const { projectId, now } = harness
      const { pushCampaigns, background } = process
      const workflows: ReadonlyArray<AnyWorkflow> = background.workflows
      const workflow = workflows.find((each) => each.name === "push-campaign")
      const later = new Date(now().getTime() + 3_600_000).toISOString()
      if (call === "send") return pushCampaigns.send(projectId, id)
      if (call === "move") return pushCampaigns.update(projectId, id, { scheduled_at: later })
      if (call === "rename") return pushCampaigns.update(projectId, id, { name: "Renamed" })
      if (call === "remove") return pushCampaigns.remove(projectId, id)
      if (call === "cancel") return pushCampaigns.cancel(projectId, id)
      return workflow?.run({ project_id: projectId, campaign_id: id }) ?? Effect.void
    }

    const race = async (turn: number) => {
      const { newId, now, processes, run, transact, gateway } = harness
      const first = turn % 2 === 0 ? "draft" : "scheduled"
      const scheduled_at = first === "draft" ? null : new Date(now().getTime() - 1_000)
      const row = aPushCampaign({ id: newId(), status: first, scheduled_at, title: `Race ${newId()}` })
      await transact((db) => Effect.orDie(db.pushCampaigns.insert(row)))
      // Another order and other absentees each time, or one call would always come first.
      const taking = calls.filter((_, at) => ((turn * 37 + at * 11) % 7) % 3 !== 0 || at > 4)
      const order = taking.map((_, at) => taking[(at + turn) % taking.length] as Call)
      const exits = await run(
        Effect.all(
          order.map((call, at) => Effect.exit(act(processes[at % 2] as Engagement, call, row.id))),
          { concurrency: "unbounded" },
        ),
      )
      const succeeded = new Set(order.filter((_, at) => Exit.isSuccess(exits[at] as Exit.Exit<unknown, unknown>)))
      for (let tries = 0; tries < 5; tries += 1) await run(act(processes[0], "fire", row.id))
      const found = await transact((db) => Effect.map(db.pushCampaigns.find({ id: row.id }), Option.getOrNull))
      const pushes = gateway.pushes.filter(({ message }) => message.title === row.title)
      const defects = exits.filter(Exit.hasDies).map(String)
      return { row, first, succeeded, status: found?.status ?? "gone", pushes, defects } as const
    }

    it(`each ends in a state that can be reached, and nothing is sent twice (${runs} runs)`, async () => {
      const ends = new Map<string, number>()
      for (let turn = 0; turn < runs; turn += 1) {
        const { first, succeeded, status, pushes, defects } = await race(turn)
        const told = `${first}: ${[...succeeded].sort().join(", ")} of run ${turn}`
        expect([told, defects]).toEqual([told, []])
        expect([told, reachable(succeeded, first)]).toEqual([told, expect.arrayContaining([status])])
        const tokens = pushes.map(({ message }) => message.token)
        expect([told, new Set(tokens).size]).toEqual([told, tokens.length])
        if (status === "sent") expect([told, tokens.length]).toEqual([told, 3])
        if (status === "gone" || status === "draft" || status === "scheduled")
          expect([told, tokens]).toEqual([told, []])
        ends.set(status, (ends.get(status) ?? 0) + 1)
      }
      expect([...ends.keys()]).toEqual(expect.arrayContaining(["gone", "cancelled", "sent"]))
    })
  })
