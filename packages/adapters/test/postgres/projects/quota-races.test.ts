import { defaultLimits } from "@hearth/core/limits"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { memoryPorts, openNode } from "../nodes.ts"
import { testServer } from "../server.ts"

it("creations at once in two processes keep to the quota of their developer", async () => {
  const server = testServer()
  const node = { ports: memoryPorts(), options: { limits: { ...defaultLimits, owned_projects: 3 } } }
  try {
    const nodes = [(await openNode(server, node)).core, (await openNode(server, node)).core] as const
    const account = { email: "dev@example.com", password: "correct horse" }
    const { developer } = await Effect.runPromise(nodes[0].developers.signup(account))
    const project = { name: "Race", bundle_id: null, oauth_client_id: null, allowed_origins: [], mau_cap: null }
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => {
        const creation = nodes[turn % 2 === 0 ? 0 : 1].projects.create(developer.id, project)
        return Effect.runPromise(
          Effect.match(creation, { onFailure: ({ code }): string => code, onSuccess: () => "made" }),
        )
      }),
    )
    expect(outcomes.toSorted()).toEqual([...Array(5).fill("QUOTA_EXCEEDED"), ...Array(3).fill("made")])
    const { total } = await Effect.runPromise(nodes[1].projects.list(developer.id, { limit: 10, offset: 0 }))
    expect(total).toBe(3)
  } finally {
    await server.close()
  }
})
