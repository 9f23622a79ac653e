import type {
  ReferralClaimRow,
  ReferralCode as ReferralCodeRow,
  ReferralCodes,
  ReferralProgram as ReferralProgramRow,
  ReferralPrograms,
  ReferralsDb,
} from "@hearth/core/referrals"
import { Effect, Option } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TenantFeature } from "../feature.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { ReferralClaim, ReferralCode, ReferralProgram, referrals } from "./entities.ts"

const placeholders = (columns: ReadonlyArray<string>) => columns.map((_, at) => `$${at + 1}`).join(", ")

/** The values of a row, as they are bound. */
const bind = ({ json }: TableShape, columns: ReadonlyArray<string>, row: object) =>
  columns.map((column) => {
    const value: unknown = row[column as keyof typeof row]
    return json.has(column) ? JSON.stringify(value) : value
  })

const makeCodes = (statements: Statements, shape: TableShape): ReferralCodes => {
  const { columns, name } = shape
  const insertNew = `
    insert into ${name} (${columns.join(", ")}) values (${placeholders(columns)})
    on conflict (code) do nothing returning id`
  return {
    ...makeTable<ReferralCodeRow>(statements, shape),
    insertNew: (row) =>
      Effect.map(statements.rows(insertNew, bind(shape, columns, row)), (written) => written.length > 0),
  }
}

const makePrograms = (statements: Statements, shape: TableShape): ReferralPrograms => {
  const own = shape.columns.filter((column) => column !== "id")
  const save = `
    insert into ${shape.name} (${own.join(", ")}, id) values (${placeholders(own)}, 1)
    on conflict (id) do update set ${own.map((column) => `${column} = excluded.${column}`).join(", ")}`
  return {
    find: () =>
      Effect.map(statements.rows<ReferralProgramRow>(`select ${own.join(", ")} from ${shape.name}`), ([row]) =>
        Option.fromNullishOr(row),
      ),
    save: (program) => Effect.asVoid(statements.rows(save, bind(shape, own, program))),
  }
}

/** Referrals in PostgreSQL: tables and repositories. */
export const referralsFeature: TenantFeature<ReferralsDb> = {
  tenant: {
    entities: [ReferralCode, ReferralClaim, ReferralProgram],
    steps: [referrals],
    repositories: {
      referralCodes: (statements, shapes) => makeCodes(statements, shapes(ReferralCode)),
      referralPrograms: (statements, shapes) => makePrograms(statements, shapes(ReferralProgram)),
      referralClaims: (statements, shapes) => makeTable<ReferralClaimRow>(statements, shapes(ReferralClaim)),
    },
  },
}
