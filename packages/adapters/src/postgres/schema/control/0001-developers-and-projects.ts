import { schemaStep } from "../migration.ts"

export const developersAndProjects = schemaStep("0001-developers-and-projects", [
  `create table developers (
    id uuid primary key,
    email text not null constraint developers_email_unique unique,
    name text,
    oauth_providers jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    password_hash text not null
  )`,
  `create table developer_session_families (
    id uuid primary key,
    owner_id uuid not null
      constraint developer_session_families_owner_id_foreign references developers on delete cascade,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3) not null,
    revoked_at timestamptz(3)
  )`,
  `create index developer_session_families_owner_id_index on developer_session_families (owner_id)`,
  `create table developer_refresh_tokens (
    id uuid primary key,
    family_id uuid not null
      constraint developer_refresh_tokens_family_id_foreign references developer_session_families on delete cascade,
    token_hash text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    revoked_at timestamptz(3)
  )`,
  `create index developer_refresh_tokens_family_id_index on developer_refresh_tokens (family_id)`,
  `create table projects (
    id uuid primary key,
    name text not null,
    bundle_id text,
    oauth_client_id text,
    allowed_origins jsonb not null,
    mau_cap int constraint projects_mau_cap_check check (mau_cap >= 0),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    is_ready boolean not null
  )`,
  `create table project_members (
    id uuid primary key,
    project_id uuid not null constraint project_members_project_id_foreign references projects on delete cascade,
    developer_id uuid not null constraint project_members_developer_id_foreign references developers on delete cascade,
    role text not null constraint project_members_role_check check (role in ('owner', 'admin', 'viewer')),
    created_at timestamptz(3) not null,
    constraint project_members_project_id_developer_id_unique unique (project_id, developer_id)
  )`,
  `create index project_members_developer_id_index on project_members (developer_id)`,
  `create table api_keys (
    id uuid primary key,
    name text,
    key text not null constraint api_keys_key_unique unique,
    created_at timestamptz(3) not null,
    project_id uuid not null constraint api_keys_project_id_foreign references projects on delete cascade
  )`,
  `create index api_keys_project_id_index on api_keys (project_id)`,
  `create table project_activity (
    project_id uuid primary key
      constraint project_activity_project_id_foreign references projects on update cascade on delete cascade,
    marked_at timestamptz(3),
    drained_at timestamptz(3),
    wake_at timestamptz(3)
  )`,
])
