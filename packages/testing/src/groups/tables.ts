import type { TenantDb } from "@hearth/core"
import type { GroupBanRow, GroupInviteRow, GroupRow } from "@hearth/core/groups"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aGroup, aGroupBan, aGroupInvite } from "./builders.ts"

/** Writes a group without members and answers its id. */
export const writeGroup = (db: Pick<TenantDb, "groups">, given: Partial<GroupRow> = {}) => {
  const group = aGroup(given)
  return Effect.as(Effect.orDie(db.groups.insert(group)), group.id)
}

/** The table of groups. */
export const groups: TableCase<TenantDb, GroupRow> = {
  name: "groups",
  table: (db) => db.groups,
  row: (_, given) => Effect.sync(() => aGroup(given)),
  samples: [
    {
      ...{ name: awkwardText, description: awkwardText, avatar_url: awkwardText, is_public: false },
      ...{ max_members: 2_147_483_647, metadata: awkwardJson, member_count: 2_147_483_647, moderation: "held" },
      ...{ created_at: earlyInstant, updated_at: lateInstant },
    },
    { name: "", description: "", avatar_url: "", moderation: "rejected", created_at: awkwardInstant },
  ],
  unique: [],
  refused: [{ max_members: 0 }],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "description", ascending: textsInOrder },
}

/** The table of invites. */
export const groupInvites: TableCase<TenantDb, GroupInviteRow> = {
  name: "group invites",
  table: (db) => db.groupInvites,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aGroupInvite({
      ...given,
      group_id: given.group_id ?? (yield* writeGroup(db)),
      created_by: given.created_by ?? (yield* writeUser(db)),
    })
  }),
  samples: [
    {
      ...{ max_uses: 2_147_483_647, uses: 2_147_483_647, is_ended: true },
      ...{ expires_at: lateInstant, created_at: earlyInstant },
    },
    { code: awkwardText, max_uses: null, uses: 1, expires_at: awkwardInstant },
  ],
  unique: [["code"]],
  refused: [{ max_uses: 0 }],
  sorting: { column: "expires_at", ascending: instantsInOrder },
  nullable: { column: "max_uses", ascending: [1, 2, 10, 2_147_483_647] },
}

/** The table of bans. */
export const groupBans: TableCase<TenantDb, GroupBanRow> = {
  name: "group bans",
  table: (db) => db.groupBans,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aGroupBan({
      ...given,
      group_id: given.group_id ?? (yield* writeGroup(db)),
      app_user_id: given.app_user_id ?? (yield* writeUser(db)),
    })
  }),
  samples: [{ created_at: awkwardInstant }, { created_at: earlyInstant }],
  unique: [["group_id", "app_user_id"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}
