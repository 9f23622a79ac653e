import type {
  AccountLink,
  ApiKeyRow,
  DeveloperRow,
  Entitlement,
  MagicLink,
  MemberRow,
  NewEvent,
  ProjectRow,
  RefreshToken,
  Segment,
  SessionFamily,
  UserRow,
} from "@hearth/core"

/** The instant at which everything that is built was made. A `manualClock` begins there too. */
export const builtAt = new Date("2026-01-01T00:00:00.000Z")

let built = 0
const next = () => {
  built += 1
  return built
}

/** An id in the form of a uuid of version 7. Each is greater than the one before. */
export const anId = (): string => idOf(next())

const idOf = (n: number) => `019b76da-a800-7000-8000-${n.toString(16).padStart(12, "0")}`
const at = () => new Date(builtAt)

/** Columns that a caller has to name, because they point to a row that must be there, and those that may be named. */
export type Given<Row, Required extends keyof Row = never> = Partial<Row> & Pick<Row, Required>

/** A developer. */
export const aDeveloper = (given: Given<DeveloperRow> = {}): DeveloperRow => {
  const n = next()
  return {
    id: idOf(n),
    email: `developer-${n}@example.com`,
    name: `Developer ${n}`,
    oauth_providers: [],
    created_at: at(),
    updated_at: at(),
    password_hash: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g",
    ...given,
  }
}

/** A project that is ready. */
export const aProject = (given: Given<ProjectRow> = {}): ProjectRow => {
  const n = next()
  return {
    id: idOf(n),
    name: `Project ${n}`,
    bundle_id: null,
    oauth_client_id: null,
    allowed_origins: [],
    mau_cap: null,
    created_at: at(),
    updated_at: at(),
    is_ready: true,
    ...given,
  }
}

/** A developer's membership of a project, as owner. */
export const aMember = (given: Given<MemberRow, "project_id" | "developer_id">): MemberRow => ({
  id: anId(),
  role: "owner",
  created_at: at(),
  ...given,
})

/** A client key of a project. */
export const anApiKey = (given: Given<ApiKeyRow, "project_id">): ApiKeyRow => {
  const n = next()
  return { id: idOf(n), name: null, key: `pk_${n.toString().padStart(32, "0")}`, created_at: at(), ...given }
}

/** A session of a developer or user that has not ended. */
export const aSessionFamily = (given: Given<SessionFamily, "owner_id">): SessionFamily => ({
  id: anId(),
  created_at: at(),
  last_used_at: at(),
  revoked_at: null,
  ...given,
})

/** A live refresh token of a session, good for 60 days. */
export const aRefreshToken = (given: Given<RefreshToken, "family_id">): RefreshToken => {
  const n = next()
  return {
    id: idOf(n),
    token_hash: n.toString(16).padStart(64, "0"),
    created_at: at(),
    expires_at: new Date("2026-03-02T00:00:00.000Z"),
    revoked_at: null,
    ...given,
  }
}

/** A user without an identity, in no time zone. */
export const aUser = (given: Given<UserRow> = {}): UserRow => {
  const n = next()
  return {
    id: idOf(n),
    email: null,
    display_name: `User ${n}`,
    anonymous_id: `anon_${n.toString().padStart(24, "0")}`,
    auth_providers: [],
    properties: {},
    first_seen_at: at(),
    last_seen_at: at(),
    external_id: null,
    avatar_url: null,
    timezone: null,
    password_hash: null,
    is_disabled: false,
    created_at: at(),
    updated_at: at(),
    ...given,
  }
}

/** An identity of Apple's that signs a user in. */
export const anAccountLink = (given: Given<AccountLink, "app_user_id">): AccountLink => {
  const n = next()
  return { id: idOf(n), provider: "idp_a", provider_id: `subject-${n}`, created_at: at(), ...given }
}

/** A link to an email, not used yet and good for 15 minutes. */
export const aMagicLink = (given: Given<MagicLink> = {}): MagicLink => {
  const n = next()
  return {
    id: idOf(n),
    email: `user-${n}@example.com`,
    token_hash: n.toString(16).padStart(64, "0"),
    created_at: at(),
    expires_at: new Date("2026-01-01T00:15:00.000Z"),
    used_at: null,
    ...given,
  }
}

/** An active entitlement of a user, without an end. */
export const anEntitlement = (given: Given<Entitlement, "app_user_id">): Entitlement => {
  const n = next()
  return {
    id: idOf(n),
    entitlement_id: `entitlement-${n}`,
    is_active: true,
    store: null,
    product_id: null,
    purchase_date: null,
    expiration_date: null,
    period_type: null,
    raw_data: {},
    updated_at: at(),
    ...given,
  }
}

/** A segment of all users, made by hand. */
export const aSegment = (given: Given<Segment> = {}): Segment => {
  const n = next()
  return {
    id: idOf(n),
    name: `Segment ${n}`,
    description: null,
    rules: { operator: "AND", conditions: [] },
    is_system: false,
    user_count: 0,
    last_evaluated_at: null,
    created_at: at(),
    ...given,
  }
}

/** An event of a user, without an id of the caller's. */
export const anEvent = (given: Given<NewEvent, "app_user_id">): NewEvent => ({
  id: anId(),
  event_name: "lesson_completed",
  properties: {},
  occurred_at: at(),
  external_id: null,
  ...given,
})
