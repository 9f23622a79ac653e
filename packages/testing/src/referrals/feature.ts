import { Text } from "@hearth/core"
import {
  ReferralClaimRow,
  ReferralCode,
  type ReferralCodes,
  ReferralProgram,
  type ReferralPrograms,
  type ReferralsDb,
} from "@hearth/core/referrals"
import { Effect, Option, Schema } from "effect"
import type { TenantFeature } from "../feature.ts"
import type { Statements } from "../memory/database.ts"
import { insertRow, keepRow, ownerOfKey, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable } from "../memory/table.ts"

const codeShape = describeTable("referral codes", ReferralCode, {
  unique: [["code"], ["app_user_id"]],
  parents: { app_user_id: "users" },
})
const claimShape = describeTable("referral claims", ReferralClaimRow, {
  unique: [["claimer_id"]],
  parents: { claimer_id: "users" },
})
const programShape = describeTable("referral program", Schema.Struct({ id: Text, ...ReferralProgram.fields }))

const memoryCodes = (statements: Statements): ReferralCodes => ({
  ...memoryTable(statements, codeShape),
  insertNew: (given) =>
    statements.change((draft) => {
      const row = keepRow(codeShape, given)
      if (ownerOfKey(draft, codeShape, ["code"], row) !== undefined) return false
      insertRow(draft, codeShape, row)
      return true
    }),
})

const onlyRow = "1"

const memoryPrograms = (statements: Statements): ReferralPrograms => ({
  find: () =>
    Effect.map(
      statements.query((draft) => {
        const row = rowsOf(draft, programShape).get(onlyRow)
        if (row === undefined) return undefined
        const { id: _, ...program } = row
        return program
      }),
      Option.fromUndefinedOr,
    ),
  save: (program) =>
    statements.change((draft) => {
      const present = rowsOf(draft, programShape).get(onlyRow)
      if (present === undefined) insertRow(draft, programShape, { ...program, id: onlyRow })
      else replaceRow(draft, programShape, present, { ...program, id: onlyRow })
    }),
})

/** Referrals in tests: tables and repositories in memory. */
export const referralsFeature: TenantFeature<ReferralsDb> = {
  tenant: {
    shapes: [codeShape, claimShape, programShape],
    sections: { referral_claims: claimShape },
    make: ({ statements }) => ({
      referralCodes: memoryCodes(statements),
      referralPrograms: memoryPrograms(statements),
      referralClaims: memoryTable(statements, claimShape),
    }),
  },
}
