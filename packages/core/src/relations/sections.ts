import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { Block, Follow } from "./relation.ts"

/** Whom the user follows. Who follows the user is told of those others, not of the user. */
export const followsSection: TableSection = {
  name: "follows",
  owner: "follower_id",
  key: ["id"],
  columns: describeColumns(Follow),
}

/** Whom the user has blocked. Who has blocked the user is told to nobody. */
export const blocksSection: TableSection = {
  name: "blocks",
  owner: "blocker_id",
  key: ["id"],
  columns: describeColumns(Block),
}
