import type { Entitlement, UserRow, Users } from "@hearth/core"
import { Effect, Option } from "effect"
import type { Statements } from "./database.ts"
import { replaceRow, rowsOf, shapeOf } from "./rows.ts"
import { sessionShapes } from "./session-store.ts"
import { lockRow, memoryTable, select, sorted } from "./table.ts"

/** The table of users. */
export const userShape = shapeOf<UserRow>(
  "users",
  {
    id: "uuid",
    email: "text?",
    display_name: "text",
    anonymous_id: "text",
    auth_providers: "json",
    properties: "json",
    first_seen_at: "instant",
    last_seen_at: "instant",
    external_id: "text?",
    avatar_url: "text?",
    timezone: "text?",
    password_hash: "text?",
    is_disabled: "boolean",
    created_at: "instant",
    updated_at: "instant",
  },
  { unique: [["email"], ["external_id"], ["anonymous_id"]] },
)

/** The table of entitlements. */
export const entitlementShape = shapeOf<Entitlement>(
  "entitlements",
  {
    id: "uuid",
    app_user_id: "uuid",
    entitlement_id: "text",
    is_active: "boolean",
    store: "text?",
    product_id: "text?",
    purchase_date: "instant?",
    expiration_date: "instant?",
    period_type: "text?",
    raw_data: "json",
    updated_at: "instant",
  },
  { unique: [["app_user_id", "entitlement_id"]], parents: { app_user_id: "users" } },
)

/** The tables of the sessions of users. */
export const userSessionShapes = sessionShapes("users")

const summaryOf = ({ id, entitlement_id, is_active, expiration_date }: Entitlement) => ({
  id,
  entitlement_id,
  is_active,
  expiration_date,
})

/** The users of a project. */
export const memoryUsers = (statements: Statements): Users => ({
  ...memoryTable(statements, userShape),
  lock: lockRow(statements, userShape),
  profile: (id) =>
    statements
      .query((draft) => {
        const [user] = select(draft, userShape, { id })
        if (user === undefined) return undefined
        const rows = select(draft, entitlementShape, { app_user_id: id })
        return { user, entitlements: sorted(entitlementShape, rows, [["entitlement_id", "asc"]]).map(summaryOf) }
      })
      .pipe(Effect.map(Option.fromUndefinedOr)),
  zones: (ids) =>
    statements.query((draft) => {
      const users = ids.flatMap((id) => select(draft, userShape, { id }))
      return new Map(users.map((user) => [user.id, user.timezone]))
    }),
  seen: (users) =>
    statements.change((draft) => {
      for (const { id, at } of users) {
        for (const user of select(draft, userShape, { id })) {
          if (user.last_seen_at < at) replaceRow(draft, userShape, user, { ...user, last_seen_at: at })
        }
      }
    }),
  hasLiveSession: (userId, familyId) =>
    statements.query((draft) => {
      const [family] = select(draft, userSessionShapes.families, { id: familyId, owner_id: userId, revoked_at: null })
      return family !== undefined && rowsOf(draft, userShape).get(family.owner_id)?.is_disabled === false
    }),
})
