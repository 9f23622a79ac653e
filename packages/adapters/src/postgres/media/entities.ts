import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** Folders of files. */
export const MediaFolder = defineEntity({
  name: "MediaFolder",
  tableName: "media_folders",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    parent_id: () => p.manyToOne(MediaFolder).mapToPk().nullable().deleteRule("set null").updateRule("no action"),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["parent_id", "name", "id"] }],
})

/** The files of a project. */
export const MediaAsset = defineEntity({
  name: "MediaAsset",
  tableName: "media_assets",
  properties: {
    id: p.uuid().primary(),
    path: p.text().unique(),
    filename: p.text(),
    mime_type: p.text(),
    size_bytes: p.double().nullable(),
    folder_id: () => p.manyToOne(MediaFolder).mapToPk().nullable().deleteRule("set null").updateRule("no action"),
    alt_text: p.text().nullable(),
    metadata: p.json(),
    app_user_id: () => p.manyToOne(User).mapToPk().nullable().deleteRule("cascade").updateRule("no action"),
    status: p.text(),
    created_at: p.datetime(3),
    check_at: p.datetime(3).nullable(),
  },
  indexes: [
    { properties: ["created_at", "id"] },
    { properties: ["folder_id", "created_at", "id"] },
    { properties: ["app_user_id", "created_at", "id"] },
    { name: "media_assets_check_at_index", properties: ["check_at"], where: "check_at is not null" },
  ],
})

/** How many bytes the files of the project have together: one row. */
export const MediaUsage = defineEntity({
  name: "MediaUsage",
  tableName: "media_usage",
  properties: { id: p.integer().primary().autoincrement(false).check("id = 1"), bytes: p.double() },
})

/** Files whose rows are gone. */
export const MediaRemoval = defineEntity({
  name: "MediaRemoval",
  tableName: "media_removals",
  properties: { id: p.uuid().primary(), path: p.text().index(), due_at: p.datetime(3) },
  indexes: [{ properties: ["due_at", "id"] }],
})

/** The files of projects that are gone. */
export const ProjectFiles = defineEntity({
  name: "ProjectFiles",
  tableName: "project_files",
  properties: { id: p.uuid().primary(), due_at: p.datetime(3), last_at: p.datetime(3) },
  indexes: [{ properties: ["due_at", "id"] }],
})

/** The tables of a project. */
export const media = schemaStep("0033-media", [
  `create table media_folders (
    id uuid primary key,
    name text not null,
    parent_id uuid constraint media_folders_parent_id_foreign references media_folders on delete set null,
    created_at timestamptz(3) not null
  )`,
  "create index media_folders_parent_id_name_id_index on media_folders (parent_id, name, id)",
  `create table media_assets (
    id uuid primary key,
    path text not null constraint media_assets_path_unique unique,
    filename text not null,
    mime_type text not null,
    size_bytes float8,
    folder_id uuid constraint media_assets_folder_id_foreign references media_folders on delete set null,
    alt_text text,
    metadata jsonb not null,
    app_user_id uuid constraint media_assets_app_user_id_foreign references app_users on delete cascade,
    status text not null,
    created_at timestamptz(3) not null,
    check_at timestamptz(3)
  )`,
  "create index media_assets_created_at_id_index on media_assets (created_at, id)",
  "create index media_assets_folder_id_created_at_id_index on media_assets (folder_id, created_at, id)",
  "create index media_assets_app_user_id_created_at_id_index on media_assets (app_user_id, created_at, id)",
  "create index media_assets_check_at_index on media_assets (check_at) where check_at is not null",
  `create table media_usage (
    id int primary key constraint media_usage_id_check check (id = 1),
    bytes float8 not null
  )`,
  `create table media_removals (
    id uuid primary key,
    path text not null,
    due_at timestamptz(3) not null
  )`,
  "create index media_removals_path_index on media_removals (path)",
  "create index media_removals_due_at_id_index on media_removals (due_at, id)",
])

/** The table of the control database. */
export const projectFiles = schemaStep("0009-project-files", [
  `create table project_files (
    id uuid primary key,
    due_at timestamptz(3) not null,
    last_at timestamptz(3) not null
  )`,
  "create index project_files_due_at_id_index on project_files (due_at, id)",
])
