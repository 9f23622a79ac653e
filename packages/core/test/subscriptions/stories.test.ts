import { memoryTenants } from "@hearth/testing"
import { anyStoryTwice, storyteller, tenantDatabase } from "@hearth/testing/contracts"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"

// The node of tests has an environment; the core does not.
const { HEARTH_STORIES: stories = "120" } = process.env

it(`${stories} stories end the same in whatever order and however often their webhooks come [E7]`, async () => {
  const projectId = "01999999-0000-7000-8000-000000000001"
  await fc.assert(
    fc.asyncProperty(anyStoryTwice, async ([story, same]) => {
      // A database of their own: the one in memory looks through all of its rows.
      const tenants = memoryTenants()
      await Effect.runPromise(tenants.create(projectId))
      const { tell } = storyteller(tenantDatabase(tenants, projectId))
      expect(await tell(same)).toEqual(await tell(story))
    }),
    { numRuns: Number(stories) },
  )
}, 600_000)
