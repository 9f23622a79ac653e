import type { ApiKeyRow, ControlDb, ControlPlane, DeveloperRow, Member, MemberRow, ProjectRow } from "@hearth/core"
import { Effect } from "effect"
import { memorySessionStore, sessionShapes } from "../auth/memory-sessions.ts"
import { jobShape, memoryJobs } from "../background/memory-jobs.ts"
import { type Draft, memoryDatabase, type Statements } from "./database.ts"
import { rowsOf } from "./rows.ts"
import { shapeOf } from "./shape.ts"
import { memoryTable, pageOf, select, sorted } from "./table.ts"

const developers = shapeOf<DeveloperRow>(
  "developers",
  {
    id: "uuid",
    email: "text",
    name: "text?",
    oauth_providers: "json",
    created_at: "instant",
    updated_at: "instant",
    password_hash: "text",
  },
  { unique: [["email"]] },
)
const projects = shapeOf<ProjectRow>("projects", {
  id: "uuid",
  name: "text",
  bundle_id: "text?",
  oauth_client_id: "text?",
  allowed_origins: "json",
  mau_cap: "count?",
  created_at: "instant",
  updated_at: "instant",
  is_ready: "boolean",
})
const members = shapeOf<MemberRow>(
  "members",
  { id: "uuid", project_id: "uuid", developer_id: "uuid", role: ["owner", "admin", "viewer"], created_at: "instant" },
  { unique: [["project_id", "developer_id"]], parents: { project_id: "projects", developer_id: "developers" } },
)
const apiKeys = shapeOf<ApiKeyRow>(
  "api keys",
  { id: "uuid", project_id: "uuid", name: "text?", key: "text", created_at: "instant" },
  { unique: [["key"]], parents: { project_id: "projects" } },
)
const sessions = sessionShapes("developers")
const jobs = jobShape("projects")
const shapes = [developers, projects, members, apiKeys, sessions.families, sessions.refreshTokens, jobs]

const readyProject = (draft: Draft, id: string) => {
  const project = rowsOf(draft, projects).get(id)
  return project?.is_ready === true ? project : undefined
}

const memberOf = (draft: Draft, { created_at, developer_id, role }: MemberRow): ReadonlyArray<Member> => {
  const developer = rowsOf(draft, developers).get(developer_id)
  if (developer === undefined) return []
  return [{ developer_id, email: developer.email, name: developer.name, role, created_at }]
}

const memoryProjects = (statements: Statements): ControlDb["projects"] => ({
  ...memoryTable(statements, projects),
  pageOfMember: (developer_id, slice) =>
    statements.query((draft) => {
      const ready = select(draft, members, { developer_id })
        .map((member) => readyProject(draft, member.project_id))
        .filter((project) => project !== undefined)
      return pageOf(sorted(projects, ready, [["created_at", "desc"]]), slice)
    }),
})

const memoryMembers = (statements: Statements): ControlDb["members"] => ({
  ...memoryTable(statements, members),
  pageOfProject: (project_id, slice) =>
    statements.query((draft) => {
      const rows = sorted(members, select(draft, members, { project_id }), [["created_at", "asc"]])
      return pageOf(
        rows.flatMap((member) => memberOf(draft, member)),
        slice,
      )
    }),
  roleOf: (project_id, developer_id) =>
    statements.query((draft) => {
      const [member] = select(draft, members, { project_id, developer_id })
      return member !== undefined && readyProject(draft, member.project_id) !== undefined ? member.role : null
    }),
  lockOwners: (project_id) => statements.query((draft) => select(draft, members, { project_id, role: "owner" }).length),
})

const memoryApiKeys = (statements: Statements): ControlDb["apiKeys"] => ({
  ...memoryTable(statements, apiKeys),
  projectOf: (key) =>
    statements.query((draft) => {
      const [found] = select(draft, apiKeys, { key })
      return found === undefined ? null : (readyProject(draft, found.project_id)?.id ?? null)
    }),
})

const controlDb = (statements: Statements): ControlDb => ({
  developers: memoryTable(statements, developers),
  sessions: memorySessionStore(statements, sessions),
  projects: memoryProjects(statements),
  members: memoryMembers(statements),
  apiKeys: memoryApiKeys(statements),
  jobs: memoryJobs(statements, jobs, projects),
})

/** An empty control plane in memory. Its transactions run one after the other. */
export const memoryControlPlane = (): ControlPlane<ControlDb> => {
  const database = memoryDatabase(shapes)
  const outside = controlDb(database.outside)
  return {
    read: (work) => Effect.suspend(() => work(outside)),
    transact: (work) => database.transact((statements) => work(controlDb(statements))),
  }
}
