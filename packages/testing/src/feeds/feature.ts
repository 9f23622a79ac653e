import type { FeedsDb } from "@hearth/core/feeds"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, keepList, limit, orNull, place, slice, text, uuid } from "../memory/arguments.ts"
import { feedItemShape, feedRuleShape, memoryFeeds } from "./memory.ts"

/** Feeds in tests: tables and repositories in memory. */
export const feedsFeature: TenantFeature<FeedsDb> = {
  tenant: {
    shapes: [feedRuleShape, feedItemShape],
    sections: { feed_items: feedItemShape },
    rules: {
      feedRules: { listActive: [keepList(text)] },
      feedItems: {
        findGroups: [keepList(uuid)],
        readFeed: [
          fields({
            viewer_id: uuid,
            scope: fields({ group_id: uuid }),
            after: orNull(fields({ created_at: instant, id: uuid })),
            limit,
          }),
        ],
        pageWithActors: [orNull(text), slice],
        listWithActors: [orNull(text), place, slice],
        removeSome: [uuid, limit],
        removeOld: [instant, limit],
      },
    },
    make: ({ statements }) => memoryFeeds(statements),
  },
}
