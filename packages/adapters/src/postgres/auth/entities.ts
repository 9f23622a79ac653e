import { defineEntity, p } from "@mikro-orm/core"
import { User } from "../users/entities.ts"

export const AccountLink = defineEntity({
  name: "AccountLink",
  tableName: "account_links",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").index(),
    provider: p.text(),
    provider_id: p.text(),
    created_at: p.datetime(3),
  },
  uniques: [{ properties: ["provider", "provider_id"] }],
})

export const MagicLink = defineEntity({
  name: "MagicLink",
  tableName: "magic_link_tokens",
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    token_hash: p.text().unique(),
    created_at: p.datetime(3),
    expires_at: p.datetime(3).index(),
    used_at: p.datetime(3).nullable(),
  },
})
