import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action")

export const ReferralCode = defineEntity({
  name: "ReferralCode",
  tableName: "referral_codes",
  properties: {
    id: p.uuid().primary(),
    code: p.text().unique(),
    reward_referrer: p.json(),
    reward_referee: p.json(),
    max_uses: p.integer().nullable().check("max_uses >= 0"),
    is_active: p.boolean(),
    app_user_id: () => ofUser().nullable().unique(),
    total_claims: p.integer().check("total_claims >= 0"),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["created_at", "id"] }],
})

/** Who has redeemed what. It outlives the code and its owner, so it references neither. */
export const ReferralClaim = defineEntity({
  name: "ReferralClaim",
  tableName: "referral_claims",
  properties: {
    id: p.uuid().primary(),
    claimer_id: () => ofUser().unique(),
    referral_code_id: p.uuid(),
    code: p.text(),
    referrer_id: p.uuid().nullable(),
    reward: p.json(),
    claimed_at: p.datetime(3),
  },
  indexes: [{ properties: ["referral_code_id", "claimed_at", "id"] }],
})

/** What the codes of users are made with: one row. */
export const ReferralProgram = defineEntity({
  name: "ReferralProgram",
  tableName: "referral_program",
  properties: {
    id: p.integer().primary().autoincrement(false).check("id = 1"),
    reward_referrer: p.json(),
    reward_referee: p.json(),
    max_uses: p.integer().nullable().check("max_uses >= 0"),
    require_account: p.boolean(),
    max_account_age_hours: p.double().nullable().check("max_account_age_hours >= '0'"),
  },
})

/** The tables of referrals. */
export const referrals = schemaStep("0015-referrals", [
  `create table referral_codes (
    id uuid primary key,
    code text not null constraint referral_codes_code_unique unique,
    reward_referrer jsonb not null,
    reward_referee jsonb not null,
    max_uses int constraint referral_codes_max_uses_check check (max_uses >= 0),
    is_active boolean not null,
    app_user_id uuid constraint referral_codes_app_user_id_unique unique
      constraint referral_codes_app_user_id_foreign references app_users on delete cascade,
    total_claims int not null constraint referral_codes_total_claims_check check (total_claims >= 0),
    created_at timestamptz(3) not null
  )`,
  "create index referral_codes_created_at_id_index on referral_codes (created_at, id)",
  `create table referral_claims (
    id uuid primary key,
    claimer_id uuid not null constraint referral_claims_claimer_id_unique unique
      constraint referral_claims_claimer_id_foreign references app_users on delete cascade,
    referral_code_id uuid not null,
    code text not null,
    referrer_id uuid,
    reward jsonb not null,
    claimed_at timestamptz(3) not null
  )`,
  `create index referral_claims_referral_code_id_claimed_at_id_index
    on referral_claims (referral_code_id, claimed_at, id)`,
  `create table referral_program (
    id int primary key constraint referral_program_id_check check (id = 1),
    reward_referrer jsonb not null,
    reward_referee jsonb not null,
    max_uses int constraint referral_program_max_uses_check check (max_uses >= 0),
    require_account boolean not null,
    max_account_age_hours double precision
      constraint referral_program_max_account_age_hours_check check (max_account_age_hours >= '0')
  )`,
])
