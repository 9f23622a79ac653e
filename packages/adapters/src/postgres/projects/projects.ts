import type { Page } from "@hearth/core"
import type { ApiKeyRow, ApiKeys, Member, MemberRow, Members, ProjectRow, Projects, Role } from "@hearth/core/projects"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

/** A page of the rows that `source`, a statement from its `from` on, selects with its values. */
const paged = <Row>(
  statements: Statements,
  source: string,
  { columns, order }: { readonly columns: string; readonly order: string },
  values: ReadonlyArray<unknown>,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Effect.Effect<Page<Row>> =>
  Effect.gen(function* () {
    const [counted] = yield* statements.rows<{ readonly total: number }>(
      `select count(*)::int as total ${source}`,
      values,
    )
    const at = values.length
    const rows = yield* statements.rows<Row>(
      `select ${columns} ${source} order by ${order} limit $${at + 1} offset $${at + 2}`,
      [...values, limit, offset],
    )
    return { rows, total: counted?.total ?? 0 }
  })

/** The list of projects. */
export const makeProjects = (statements: Statements, shape: TableShape): Projects => ({
  ...makeTable<ProjectRow>(statements, shape),
  pageOfMember: (developerId, slice) =>
    paged<ProjectRow>(
      statements,
      "from projects p join project_members m on m.project_id = p.id where m.developer_id = $1 and p.is_ready",
      { columns: shape.columns.map((column) => `p.${column}`).join(", "), order: "p.created_at desc, p.id" },
      [developerId],
      slice,
    ),
})

type MemberRole = Pick<MemberRow, "developer_id" | "role">

const lockReadyProject = (statements: Statements, projectId: string, strength: "key share" | "update") =>
  Effect.map(
    statements.rows(`select id from projects where id = $1 and is_ready for ${strength}`, [projectId]),
    (rows) => rows.length > 0,
  )

/** The members of projects. */
export const makeMembers = (statements: Statements, shape: TableShape): Members => ({
  ...makeTable<MemberRow>(statements, shape),
  pageOfProject: (projectId, slice) =>
    paged<Member>(
      statements,
      "from project_members m join developers d on d.id = m.developer_id where m.project_id = $1",
      { columns: "m.developer_id, d.email, d.name, m.role, m.created_at", order: "m.created_at, m.id" },
      [projectId],
      slice,
    ),
  roleOf: (projectId, developerId) =>
    Effect.map(
      statements.lookUp<{ readonly role: Role }>(
        "role-of",
        `select m.role from project_members m join projects p on p.id = m.project_id
         where m.project_id = $1 and m.developer_id = $2 and p.is_ready`,
        [projectId, developerId],
      ),
      ([row]) => row?.role ?? null,
    ),
  lockRole: Effect.fnUntraced(function* (projectId, developerId, { forRemoval } = { forRemoval: false }) {
    if (!(yield* lockReadyProject(statements, projectId, forRemoval ? "update" : "key share"))) return null
    const [member] = yield* statements.rows<MemberRole>(
      `select developer_id, role from project_members where project_id = $1 and developer_id = $2 for share`,
      [projectId, developerId],
    )
    return member?.role ?? null
  }),
  lockRoles: Effect.fnUntraced(function* (projectId, developerIds) {
    const isReady = yield* lockReadyProject(statements, projectId, "key share")
    const members = !isReady
      ? []
      : yield* statements.rows<MemberRole>(
          `select developer_id, role from project_members
           where project_id = $1 and (role = 'owner' or developer_id = any($2::uuid[])) order by id for no key update`,
          [projectId, developerIds],
        )
    return new Map(members.map(({ developer_id, role }) => [developer_id, role]))
  }),
})

/** The client keys of projects. */
export const makeApiKeys = (statements: Statements, shape: TableShape): ApiKeys => ({
  ...makeTable<ApiKeyRow>(statements, shape),
  projectOf: (key) =>
    Effect.map(
      statements.lookUp<{ readonly project_id: string }>(
        "project-of-key",
        `select k.project_id from api_keys k join projects p on p.id = k.project_id where k.key = $1 and p.is_ready`,
        [key],
      ),
      ([row]) => row?.project_id ?? null,
    ),
})
