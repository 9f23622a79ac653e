import type { IntegrationRow, Integrations, KeyUse } from "@hearth/core/integrations"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

const reseal = `
  update integrations i set sealed = given.sealed, sealed_with = given.sealed_with
  from unnest($1::uuid[], $2::text[], $3::text[]) as given (id, sealed, sealed_with) where i.id = given.id`

/** The integrations of all projects. */
export const makeIntegrations = (statements: Statements, shape: TableShape): Integrations => {
  const columns = shape.columns.map((column) => `i.${column}`).join(", ")
  return {
    ...makeTable<IntegrationRow>(statements, shape),
    findActive: (projectId, provider) =>
      Effect.map(
        statements.lookUp<IntegrationRow>(
          "active-integration",
          `select ${columns} from integrations i join projects p on p.id = i.project_id
           where i.project_id = $1 and i.provider = $2 and i.is_active and p.is_ready`,
          [projectId, provider],
        ),
        ([row]) => Option.fromUndefinedOr(row),
      ),
    countKeys: () =>
      statements.rows<KeyUse>(
        `select sealed_with as fingerprint, count(*)::int as integrations, count(distinct project_id)::int as projects
         from integrations where sealed_with is not null group by 1 order by 1`,
      ),
    lockSealedWith: (fingerprints, after, limit) =>
      statements.rows<IntegrationRow>(
        `select ${columns} from integrations i where i.sealed_with = any($1::text[]) and ($2::uuid is null or i.id > $2)
         order by i.id limit $3 for no key update skip locked`,
        [fingerprints, after, limit],
      ),
    reseal: (rows) =>
      Effect.asVoid(
        statements.rows(reseal, [
          rows.map(({ id }) => id),
          rows.map(({ sealed }) => sealed),
          rows.map(({ sealed_with }) => sealed_with),
        ]),
      ),
  }
}
