import { defineEntity, p } from "@mikro-orm/postgresql"
import { familyColumns, refreshTokenColumns } from "../auth/session-columns.ts"

const Developer = defineEntity({
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

const SessionFamily = defineEntity({
  name: "DeveloperSessionFamily",
  tableName: "developer_session_families",
  properties: familyColumns(() => Developer),
})

const RefreshToken = defineEntity({
  name: "DeveloperRefreshToken",
  tableName: "developer_refresh_tokens",
  properties: refreshTokenColumns(() => SessionFamily),
})

const Project = defineEntity({
  name: "Project",
  tableName: "projects",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    bundle_id: p.text().nullable(),
    oauth_client_id: p.text().nullable(),
    allowed_origins: p.json(),
    mau_cap: p.integer().nullable().check("mau_cap >= 0"),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    is_ready: p.boolean(),
  },
})

const Member = defineEntity({
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
})

const ApiKey = defineEntity({
  name: "ApiKey",
  tableName: "api_keys",
  properties: {
    id: p.uuid().primary(),
    name: p.text().nullable(),
    key: p.text().unique(),
    created_at: p.datetime(3),
    project_id: () => p.manyToOne(Project).mapToPk().deleteRule("cascade").index(),
  },
})

/** When the jobs of a project are due. */
const ProjectJob = defineEntity({
  name: "ProjectJob",
  tableName: "project_jobs",
  properties: {
    project_id: () => p.manyToOne(Project).mapToPk().primary().deleteRule("cascade"),
    job: p.text().primary(),
    version: p.integer(),
    /** Null is never. */
    run_at: p.datetime(3).nullable(),
    /** Work that was announced is committed by then. */
    pending_until: p.datetime(3).nullable(),
  },
})

/** The tables of the control database. */
export const controlEntities = { Developer, SessionFamily, RefreshToken, Project, Member, ApiKey, ProjectJob }
