import { type RefusedBounds, RefusedCallRow, type RefusedCalls } from "@hearth/core/refusals"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, insertRow, lockRow, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { pageOf, select, sorted } from "../memory/table.ts"
import { projectShape } from "../projects/memory.ts"

/** The table of refused calls. */
export const refusedCallShape = describeTable("refused calls", RefusedCallRow, {
  unique: [["project_id", "caller", "method", "path", "status", "code"]],
  parents: { project_id: projectShape.name },
})

const mostCount = 2_147_483_647

const keyOf = ({ project_id, caller, method, path, status, code }: RefusedCallRow) =>
  [project_id, caller, method, path, status, code].join(" ")

const remove = (draft: Draft, rows: ReadonlyArray<RefusedCallRow>) => {
  for (const row of rows)
    if (canLockRow(draft, refusedCallShape, row.id, "update")) removeRow(draft, refusedCallShape, row)
}

const addOne = (draft: Draft, given: RefusedCallRow) => {
  const { caller, method, path, status, code, project_id } = given
  const [present] = select(draft, refusedCallShape, { project_id, caller, method, path, status, code })
  if (present === undefined) return void insertRow(draft, refusedCallShape, given)
  const { message, request_id } = given.last_at >= present.last_at ? given : present
  replaceRow(draft, refusedCallShape, present, {
    ...present,
    ...{ message, request_id },
    count: Math.min(present.count + given.count, mostCount),
    first_at: new Date(Math.min(given.first_at.getTime(), present.first_at.getTime())),
    last_at: new Date(Math.max(given.last_at.getTime(), present.last_at.getTime())),
  })
}

const addAll = (draft: Draft, rows: ReadonlyArray<RefusedCallRow>, { since, most }: RefusedBounds) => {
  remove(
    draft,
    select(draft, refusedCallShape, {}).filter(({ last_at }) => last_at < since),
  )
  const projects = [...new Set(rows.map(({ project_id }) => project_id))].sort()
  const here = projects.filter((id) => rowsOf(draft, projectShape).get(id) !== undefined)
  for (const id of here) lockRow(draft, projectShape, id, "key share")
  const known = rows.filter(({ project_id }) => here.includes(project_id))
  for (const row of known.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) addOne(draft, row)
  for (const project_id of here) {
    const all = sorted(refusedCallShape, select(draft, refusedCallShape, { project_id }), [["last_at", "desc"]])
    for (const ofCaller of Map.groupBy(all, ({ caller }) => caller).values()) remove(draft, ofCaller.slice(most))
  }
}

/** Refused calls of all projects. */
export const memoryRefusedCalls = (statements: Statements): RefusedCalls => ({
  add: (rows, bounds) => statements.change((draft) => addAll(draft, rows, bounds)),
  page: (project_id, { code, status, since }, slice) =>
    statements.query((draft) => {
      const found = select(draft, refusedCallShape, {
        project_id,
        ...(code === null ? {} : { code }),
        ...(status === null ? {} : { status }),
      }).filter(({ last_at }) => last_at >= since)
      return pageOf(sorted(refusedCallShape, found, [["last_at", "desc"]]), slice)
    }),
})
