import type { ApiKeyRow, DeveloperRow, MemberRow, ProjectRow } from "@hearth/core/projects"
import { anId, builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** A developer. */
export const aDeveloper = (given: Given<DeveloperRow> = {}): DeveloperRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    email: `developer-${n}@example.com`,
    name: `Developer ${n}`,
    oauth_providers: [],
    created_at: new Date(builtAt),
    updated_at: new Date(builtAt),
    password_hash: "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g",
    ...given,
  }
}

/** A project that is ready. */
export const aProject = (given: Given<ProjectRow> = {}): ProjectRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    name: `Project ${n}`,
    bundle_id: null,
    oauth_client_id: null,
    allowed_origins: [],
    mau_cap: null,
    server_events: [],
    client_backdate_hours: 720,
    limits: {},
    created_at: new Date(builtAt),
    updated_at: new Date(builtAt),
    is_ready: true,
    ...given,
  }
}

/** A developer's membership of a project, as owner. */
export const aMember = (given: Given<MemberRow, "project_id" | "developer_id">): MemberRow => ({
  id: anId(),
  role: "owner",
  created_at: new Date(builtAt),
  ...given,
})

/** A client key of a project. */
export const anApiKey = (given: Given<ApiKeyRow, "project_id">): ApiKeyRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    name: null,
    key: `pk_${n.toString().padStart(32, "0")}`,
    created_at: new Date(builtAt),
    ...given,
  }
}
