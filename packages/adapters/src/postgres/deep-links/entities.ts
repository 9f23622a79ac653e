import { defineEntity, p } from "@mikro-orm/core"
import { Project } from "../projects/entities.ts"
import { notifyRevoked } from "../revocations/trigger.ts"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

/** The settings of the project's links: one row. */
export const DeepLinkConfig = defineEntity({
  name: "DeepLinkConfig",
  tableName: "deep_link_config",
  properties: {
    id: p.integer().primary().autoincrement(false).check("id = 1"),
    url_scheme: p.text().nullable(),
    android_package_name: p.text().nullable(),
    ios_bundle_id: p.text().nullable(),
    fallback_url: p.text().nullable(),
    ios_team_id: p.text().nullable(),
    android_sha256_fingerprints: p.json().nullable(),
    updated_at: p.datetime(3),
  },
})

export const TrackedLink = defineEntity({
  name: "TrackedLink",
  tableName: "tracked_links",
  properties: {
    id: p.uuid().primary(),
    slug: p.text().unique(),
    destination_url: p.text(),
    metadata: p.json(),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["created_at", "id"] }],
})

const ofLink = () => p.manyToOne(TrackedLink).mapToPk().deleteRule("cascade").updateRule("no action")

/** How often a link was opened on a day, by platform. */
export const LinkClicks = defineEntity({
  name: "LinkClicks",
  tableName: "tracked_link_clicks",
  properties: {
    tracked_link_id: () => ofLink().primary(),
    day: p.date().primary(),
    platform: p.text().primary(),
    clicks: p.integer().check("clicks > 0"),
  },
})

/** The known users who opened a link. */
export const LinkUser = defineEntity({
  name: "LinkUser",
  tableName: "tracked_link_users",
  properties: {
    tracked_link_id: () => ofLink().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().primary().deleteRule("cascade").updateRule("no action").index(),
    first_clicked_at: p.datetime(3),
  },
})

/** Which project has which domain. */
export const LinkDomain = defineEntity({
  name: "LinkDomain",
  tableName: "link_domains",
  properties: {
    id: () => p.manyToOne(Project).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    domain: p.text().unique(),
  },
  triggers: [notifyRevoked("id")],
})

/** The tables of a project. */
export const deepLinks = schemaStep("0005-deep-links", [
  `create table deep_link_config (
    id int primary key constraint deep_link_config_id_check check (id = 1),
    url_scheme text,
    android_package_name text,
    ios_bundle_id text,
    fallback_url text,
    ios_team_id text,
    android_sha256_fingerprints jsonb,
    updated_at timestamptz(3) not null
  )`,
  `create table tracked_links (
    id uuid primary key,
    slug text not null constraint tracked_links_slug_unique unique,
    destination_url text not null,
    metadata jsonb not null,
    created_at timestamptz(3) not null
  )`,
  "create index tracked_links_created_at_id_index on tracked_links (created_at, id)",
  `create table tracked_link_clicks (
    tracked_link_id uuid not null
      constraint tracked_link_clicks_tracked_link_id_foreign references tracked_links on delete cascade,
    day date not null,
    platform text not null,
    clicks int not null constraint tracked_link_clicks_clicks_check check (clicks > 0),
    primary key (tracked_link_id, day, platform)
  )`,
  `create table tracked_link_users (
    tracked_link_id uuid not null
      constraint tracked_link_users_tracked_link_id_foreign references tracked_links on delete cascade,
    app_user_id uuid not null
      constraint tracked_link_users_app_user_id_foreign references app_users on delete cascade,
    first_clicked_at timestamptz(3) not null,
    primary key (tracked_link_id, app_user_id)
  )`,
  "create index tracked_link_users_app_user_id_index on tracked_link_users (app_user_id)",
])

/** The table of the control database. */
export const linkDomains = schemaStep("0004-link-domains", [
  `create table link_domains (
    id uuid primary key constraint link_domains_id_foreign references projects on delete cascade,
    domain text not null constraint link_domains_domain_unique unique
  )`,
])
