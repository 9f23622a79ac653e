import { schemaStep } from "../migration.ts"

export const identities = schemaStep("0002-identities", [
  `create table account_links (
    id uuid primary key,
    app_user_id uuid not null constraint account_links_app_user_id_foreign references app_users on delete cascade,
    provider text not null,
    provider_id text not null,
    created_at timestamptz(3) not null,
    constraint account_links_provider_provider_id_unique unique (provider, provider_id)
  )`,
  `create index account_links_app_user_id_index on account_links (app_user_id)`,
  `create table magic_link_tokens (
    id uuid primary key,
    email text not null,
    token_hash text not null constraint magic_link_tokens_token_hash_unique unique,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  )`,
  `create index magic_link_tokens_expires_at_index on magic_link_tokens (expires_at)`,
  `create index app_user_session_families_last_used_at_index on app_user_session_families (last_used_at)`,
])
