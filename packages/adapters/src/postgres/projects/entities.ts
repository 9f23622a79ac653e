import { defineEntity, p } from "@mikro-orm/core"
import { familyColumns, refreshTokenColumns } from "../auth/session-columns.ts"
import { notifyProject, notifyRevoked } from "../revocations/trigger.ts"

export const Developer = defineEntity({
  name: "Developer",
  tableName: "developers",
  properties: {
    id: p.uuid().primary(),
    email: p.text().unique(),
    name: p.text().nullable(),
    oauth_providers: p.json(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    password_hash: p.text(),
  },
})

export const DeveloperSessionFamily = defineEntity({
  name: "DeveloperSessionFamily",
  tableName: "developer_session_families",
  properties: familyColumns(() => Developer),
})

export const DeveloperRefreshToken = defineEntity({
  name: "DeveloperRefreshToken",
  tableName: "developer_refresh_tokens",
  properties: refreshTokenColumns(() => DeveloperSessionFamily),
})

export const Project = defineEntity({
  name: "Project",
  tableName: "projects",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    bundle_id: p.text().nullable(),
    oauth_client_id: p.text().nullable(),
    allowed_origins: p.json(),
    mau_cap: p.integer().nullable().check("mau_cap >= 0"),
    server_events: p.json().defaultRaw("'[]'::jsonb"),
    client_backdate_hours: p
      .integer()
      .default(720)
      .check("client_backdate_hours >= 1 and client_backdate_hours <= 8760"),
    limits: p.json().defaultRaw("'{}'::jsonb"),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    is_ready: p.boolean(),
  },
  triggers: [notifyProject],
})

export const Member = defineEntity({
  name: "Member",
  tableName: "project_members",
  properties: {
    id: p.uuid().primary(),
    project_id: () => p.manyToOne(Project).mapToPk().deleteRule("cascade"),
    developer_id: () => p.manyToOne(Developer).mapToPk().deleteRule("cascade").index(),
    role: p.enum(["owner", "admin", "viewer"] as const),
    created_at: p.datetime(3),
  },
  uniques: [{ properties: ["project_id", "developer_id"] }],
  triggers: [notifyRevoked("developer_id")],
})

export const ApiKey = defineEntity({
  name: "ApiKey",
  tableName: "api_keys",
  properties: {
    id: p.uuid().primary(),
    name: p.text().nullable(),
    key: p.text().unique(),
    created_at: p.datetime(3),
    project_id: () => p.manyToOne(Project).mapToPk().deleteRule("cascade").index(),
  },
  triggers: [notifyRevoked("project_id")],
})
