import { IntegrationRow, type Integrations } from "@hearth/core/integrations"
import { Effect, Option } from "effect"
import type { Statements } from "../memory/database.ts"
import { canLockRow, lockRows, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { projectShape } from "../projects/memory.ts"

/** The table of integrations. */
export const integrationShape = describeTable("integrations", IntegrationRow, {
  unique: [["project_id", "provider"]],
  parents: { project_id: projectShape.name },
})

/** The integrations of all projects. */
export const memoryIntegrations = (statements: Statements): Integrations => ({
  ...memoryTable(statements, integrationShape),
  findActive: (project_id, provider) =>
    Effect.map(
      statements.query((draft) => {
        const [found] = select(draft, integrationShape, { project_id, provider, is_active: true })
        return rowsOf(draft, projectShape).get(project_id)?.is_ready === true ? found : undefined
      }),
      Option.fromUndefinedOr,
    ),
  countKeys: () =>
    statements.query((draft) => {
      const uses = Map.groupBy(
        select(draft, integrationShape, {}).filter(({ sealed_with }) => sealed_with !== null),
        ({ sealed_with }) => sealed_with ?? "",
      )
      return [...uses]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([fingerprint, rows]) => ({
          ...{ fingerprint, integrations: rows.length },
          projects: new Set(rows.map(({ project_id }) => project_id)).size,
        }))
    }),
  lockSealedWith: (fingerprints, after, limit) =>
    statements.query((draft) => {
      const rows = sorted(integrationShape, select(draft, integrationShape, {}), []).filter(
        ({ id, sealed_with }) =>
          sealed_with !== null &&
          (after === null || id > after) &&
          fingerprints.includes(sealed_with) &&
          canLockRow(draft, integrationShape, id, "no key update"),
      )
      return lockRows(draft, integrationShape, rows.slice(0, limit))
    }),
  reseal: (rows) =>
    statements.change((draft) => {
      for (const { id, sealed, sealed_with } of rows) {
        const present = rowsOf(draft, integrationShape).get(id)
        if (present !== undefined) replaceRow(draft, integrationShape, present, { ...present, sealed, sealed_with })
      }
    }),
})
