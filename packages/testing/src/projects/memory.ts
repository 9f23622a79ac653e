import type { RowLock } from "@hearth/core"
import {
  ApiKeyRow,
  type ApiKeys,
  DeveloperRow,
  type Member,
  MemberRow,
  type Members,
  ProjectRow,
  type Projects,
} from "@hearth/core/projects"
import { sessionShapes } from "../auth/memory-sessions.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { lockRows, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"

/** The table of developers. */
export const developerShape = describeTable("developers", DeveloperRow, { unique: [["email"]] })

/** The table of projects. */
export const projectShape = describeTable("projects", ProjectRow, {
  checks: [({ client_backdate_hours }) => client_backdate_hours >= 1 && client_backdate_hours <= 8760],
})

/** The table of the members of projects. */
export const memberShape = describeTable("members", MemberRow, {
  unique: [["project_id", "developer_id"]],
  parents: { project_id: "projects", developer_id: "developers" },
})

/** The table of client keys. */
export const apiKeyShape = describeTable("api keys", ApiKeyRow, {
  unique: [["key"]],
  parents: { project_id: "projects" },
})

/** The tables of the sessions of developers. */
export const developerSessionShapes = sessionShapes("developers")

const readyProject = (draft: Draft, id: string) => {
  const project = rowsOf(draft, projectShape).get(id)
  return project?.is_ready === true ? project : undefined
}

/** Locks a project where it is ready. */
const lockReadyProject = (draft: Draft, id: string, mode: RowLock): boolean =>
  lockRows(draft, projectShape, select(draft, projectShape, { id, is_ready: true }), mode).length > 0

const memberOf = (draft: Draft, { created_at, developer_id, role }: MemberRow): ReadonlyArray<Member> => {
  const developer = rowsOf(draft, developerShape).get(developer_id)
  if (developer === undefined) return []
  return [{ developer_id, email: developer.email, name: developer.name, role, created_at }]
}

/** The list of projects. */
export const memoryProjects = (statements: Statements): Projects => ({
  ...memoryTable(statements, projectShape),
  pageOfMember: (developer_id, slice) =>
    statements.query((draft) => {
      const ready = select(draft, memberShape, { developer_id })
        .map((member) => readyProject(draft, member.project_id))
        .filter((project) => project !== undefined)
      return pageOf(sorted(projectShape, ready, [["created_at", "desc"]]), slice)
    }),
})

/** The members of projects. */
export const memoryMembers = (statements: Statements): Members => ({
  ...memoryTable(statements, memberShape),
  pageOfProject: (project_id, slice) =>
    statements.query((draft) => {
      const rows = sorted(memberShape, select(draft, memberShape, { project_id }), [["created_at", "asc"]])
      return pageOf(
        rows.flatMap((member) => memberOf(draft, member)),
        slice,
      )
    }),
  roleOf: (project_id, developer_id) =>
    statements.query((draft) => {
      const [member] = select(draft, memberShape, { project_id, developer_id })
      return member !== undefined && readyProject(draft, member.project_id) !== undefined ? member.role : null
    }),
  lockRole: (project_id, developer_id, { forRemoval } = { forRemoval: false }) =>
    statements.query((draft) => {
      if (!lockReadyProject(draft, project_id, forRemoval ? "update" : "key share")) return null
      const [member] = lockRows(draft, memberShape, select(draft, memberShape, { project_id, developer_id }), "share")
      return member?.role ?? null
    }),
  lockRoles: (project_id, developerIds) =>
    statements.query((draft) => {
      if (!lockReadyProject(draft, project_id, "key share")) return new Map()
      const members = select(draft, memberShape, { project_id }).filter(
        (member) => member.role === "owner" || developerIds.includes(member.developer_id),
      )
      const locked = lockRows(draft, memberShape, sorted(memberShape, members, []))
      return new Map(locked.map(({ developer_id, role }) => [developer_id, role]))
    }),
})

/** The client keys of projects. */
export const memoryApiKeys = (statements: Statements): ApiKeys => ({
  ...memoryTable(statements, apiKeyShape),
  projectOf: (key) =>
    statements.query((draft) => {
      const [found] = select(draft, apiKeyShape, { key })
      return found === undefined ? null : (readyProject(draft, found.project_id)?.id ?? null)
    }),
})
