import type { TenantDb } from "@hearth/core"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import type { DatabaseUnderTest } from "../contracts/database-under-test.ts"
import { anyStoryTwice } from "./arbitrary-stories.ts"
import { storyteller } from "./stories.ts"

/** What a project promises about the order of subscription webhooks. More stories are told in the core's own tests. */
export const subscriptionStoriesContract = (open: () => Promise<DatabaseUnderTest<TenantDb>>) =>
  describe("stories of subscriptions", () => {
    let db: DatabaseUnderTest<TenantDb>
    beforeAll(async () => {
      db = await open()
    })

    it("end the same in whatever order and however often their webhooks come [E7]", async () => {
      const { tell } = storyteller(db)
      await fc.assert(
        fc.asyncProperty(anyStoryTwice, async ([story, same]) => {
          expect(await tell(same)).toEqual(await tell(story))
        }),
        { numRuns: 10 },
      )
    }, 60_000)
  })
