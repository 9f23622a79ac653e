import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** Its owner is no foreign key: a group is handed over without a lock of the new owner. */
export const Group = defineEntity({
  name: "Group",
  tableName: "groups",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    avatar_url: p.text().nullable(),
    is_public: p.boolean(),
    max_members: p.integer().check("max_members > 0"),
    metadata: p.json(),
    owner_id: p.uuid().index(),
    member_count: p.integer().check("member_count >= 0"),
    moderation: p.enum(["shown", "held", "rejected"] as const).default("shown"),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  indexes: [{ properties: ["created_at", "id"] }],
})

const ofGroup = () => p.manyToOne(Group).mapToPk().deleteRule("cascade").updateRule("no action")
const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action")

export const GroupMember = defineEntity({
  name: "GroupMember",
  tableName: "group_members",
  properties: {
    id: p.uuid().primary(),
    group_id: ofGroup,
    app_user_id: ofUser,
    is_admin: p.boolean(),
    joined_at: p.datetime(3),
  },
  uniques: [{ properties: ["group_id", "app_user_id"] }],
  indexes: [
    { properties: ["app_user_id", "joined_at", "id"] },
    { properties: ["group_id", "joined_at", "id"] },
    { name: "group_members_admins_index", properties: ["group_id", "joined_at", "id"], where: "is_admin" },
  ],
})

export const GroupInvite = defineEntity({
  name: "GroupInvite",
  tableName: "group_invites",
  properties: {
    id: p.uuid().primary(),
    group_id: ofGroup,
    code: p.text().unique(),
    created_by: () => ofUser().index(),
    max_uses: p.integer().nullable().check("max_uses > 0"),
    uses: p.integer().check("uses >= 0"),
    is_ended: p.boolean(),
    expires_at: p.datetime(3),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["group_id", "created_at", "id"] }, { properties: ["expires_at", "id"] }],
})

export const GroupBan = defineEntity({
  name: "GroupBan",
  tableName: "group_bans",
  properties: {
    id: p.uuid().primary(),
    group_id: ofGroup,
    app_user_id: () => ofUser().index(),
    created_at: p.datetime(3),
  },
  uniques: [{ properties: ["group_id", "app_user_id"] }],
})

const user = (table: string, column: string) =>
  `${column} uuid not null constraint ${table}_${column}_foreign references app_users on delete cascade`
const group = (table: string) =>
  `group_id uuid not null constraint ${table}_group_id_foreign references groups on delete cascade`

/** The tables of groups. */
export const groups = schemaStep("0028-groups", [
  `create table groups (
    id uuid primary key,
    name text not null,
    description text,
    avatar_url text,
    is_public boolean not null,
    max_members int not null constraint groups_max_members_check check (max_members > 0),
    metadata jsonb not null,
    owner_id uuid not null,
    member_count int not null constraint groups_member_count_check check (member_count >= 0),
    moderation text not null default 'shown'
      constraint groups_moderation_check check (moderation in ('shown', 'held', 'rejected')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  "create index groups_owner_id_index on groups (owner_id)",
  "create index groups_created_at_id_index on groups (created_at, id)",
  `create table group_members (
    id uuid primary key,
    ${group("group_members")},
    ${user("group_members", "app_user_id")},
    is_admin boolean not null,
    joined_at timestamptz(3) not null,
    constraint group_members_group_id_app_user_id_unique unique (group_id, app_user_id)
  )`,
  "create index group_members_app_user_id_joined_at_id_index on group_members (app_user_id, joined_at, id)",
  "create index group_members_group_id_joined_at_id_index on group_members (group_id, joined_at, id)",
  "create index group_members_admins_index on group_members (group_id, joined_at, id) where is_admin",
  `create table group_invites (
    id uuid primary key,
    ${group("group_invites")},
    code text not null constraint group_invites_code_unique unique,
    ${user("group_invites", "created_by")},
    max_uses int constraint group_invites_max_uses_check check (max_uses > 0),
    uses int not null constraint group_invites_uses_check check (uses >= 0),
    is_ended boolean not null,
    expires_at timestamptz(3) not null,
    created_at timestamptz(3) not null
  )`,
  "create index group_invites_created_by_index on group_invites (created_by)",
  "create index group_invites_group_id_created_at_id_index on group_invites (group_id, created_at, id)",
  "create index group_invites_expires_at_id_index on group_invites (expires_at, id)",
  `create table group_bans (
    id uuid primary key,
    ${group("group_bans")},
    ${user("group_bans", "app_user_id")},
    created_at timestamptz(3) not null,
    constraint group_bans_group_id_app_user_id_unique unique (group_id, app_user_id)
  )`,
  "create index group_bans_app_user_id_index on group_bans (app_user_id)",
])
