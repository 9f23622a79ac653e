import { type EntitySchema, p } from "@mikro-orm/core"

/** The columns of sessions, of users and of developers. */
export const familyColumns = (owner: () => EntitySchema) => ({
  id: p.uuid().primary(),
  owner_id: () => p.manyToOne(owner()).mapToPk().deleteRule("cascade").index(),
  created_at: p.datetime(3),
  last_used_at: p.datetime(3),
  revoked_at: p.datetime(3).nullable(),
})

/** The columns of refresh tokens. */
export const refreshTokenColumns = (family: () => EntitySchema) => ({
  id: p.uuid().primary(),
  family_id: () => p.manyToOne(family()).mapToPk().deleteRule("cascade").index(),
  token_hash: p.text(),
  created_at: p.datetime(3),
  expires_at: p.datetime(3),
  revoked_at: p.datetime(3).nullable(),
})
