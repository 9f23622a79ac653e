import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

export const CatalogItem = defineEntity({
  name: "CatalogItem",
  tableName: "catalog_items",
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    name: p.text(),
    description: p.text().nullable(),
    icon_url: p.text().nullable(),
    item_type: p.text().nullable(),
    metadata: p.json(),
    is_active: p.boolean(),
    prices: p.json(),
    contents: p.json().nullable(),
    created_at: p.datetime(3),
  },
  indexes: [{ properties: ["created_at", "id"] }],
})

const ofItem = () => p.manyToOne(CatalogItem).mapToPk().deleteRule("cascade").updateRule("no action").index()
const ofUser = () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action")

/** Its segment may be gone: then it has no members [G0.7], so nothing references it. */
export const Store = defineEntity({
  name: "Store",
  tableName: "stores",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    description: p.text().nullable(),
    segment_id: p.uuid().nullable(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})

export const Listing = defineEntity({
  name: "Listing",
  tableName: "store_listings",
  properties: {
    id: p.uuid().primary(),
    store_id: () => p.manyToOne(Store).mapToPk().deleteRule("cascade").updateRule("no action"),
    catalog_item_id: ofItem,
    sort_order: p.integer(),
    available_from: p.datetime(3).nullable(),
    available_until: p.datetime(3).nullable(),
    max_purchases_per_user: p.integer().nullable().check("max_purchases_per_user > 0"),
    override_prices: p.json().nullable(),
    created_at: p.datetime(3),
  },
  uniques: [{ properties: ["store_id", "catalog_item_id"] }],
})

export const InventoryRow = defineEntity({
  name: "InventoryRow",
  tableName: "inventory",
  properties: {
    id: p.uuid().primary(),
    app_user_id: ofUser,
    catalog_item_id: ofItem,
    quantity: p.integer().check("quantity > 0"),
    acquired_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "catalog_item_id"] }],
})

/** They outlive what was bought and where, so these are only ids. */
export const Purchase = defineEntity({
  name: "Purchase",
  tableName: "purchases",
  properties: {
    id: p.uuid().primary(),
    app_user_id: ofUser,
    store_id: p.uuid(),
    listing_id: p.uuid(),
    catalog_item_id: p.uuid(),
    key: p.text(),
    currency_code: p.text(),
    price: p.decimal("number").precision(20).scale(4),
    reward: p.json().nullable(),
    created_at: p.datetime(3),
    reversed_at: p.datetime(3).nullable(),
  },
  indexes: [{ properties: ["app_user_id", "listing_id"] }, { properties: ["app_user_id", "created_at"] }],
})

/** What can be owned, where it is sold, who owns and has bought what. */
export const stores = schemaStep("0013-stores", [
  `create table catalog_items (
    id uuid primary key,
    key text not null constraint catalog_items_key_unique unique,
    name text not null,
    description text,
    icon_url text,
    item_type text,
    metadata jsonb not null,
    is_active boolean not null,
    prices jsonb not null,
    contents jsonb,
    created_at timestamptz(3) not null
  )`,
  "create index catalog_items_created_at_id_index on catalog_items (created_at, id)",
  `create table stores (
    id uuid primary key,
    name text not null,
    description text,
    segment_id uuid,
    is_active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `create table store_listings (
    id uuid primary key,
    store_id uuid not null constraint store_listings_store_id_foreign references stores on delete cascade,
    catalog_item_id uuid not null
      constraint store_listings_catalog_item_id_foreign references catalog_items on delete cascade,
    sort_order int not null,
    available_from timestamptz(3),
    available_until timestamptz(3),
    max_purchases_per_user int
      constraint store_listings_max_purchases_per_user_check check (max_purchases_per_user > 0),
    override_prices jsonb,
    created_at timestamptz(3) not null,
    constraint store_listings_store_id_catalog_item_id_unique unique (store_id, catalog_item_id)
  )`,
  "create index store_listings_catalog_item_id_index on store_listings (catalog_item_id)",
  `create table inventory (
    id uuid primary key,
    app_user_id uuid not null constraint inventory_app_user_id_foreign references app_users on delete cascade,
    catalog_item_id uuid not null
      constraint inventory_catalog_item_id_foreign references catalog_items on delete cascade,
    quantity int not null constraint inventory_quantity_check check (quantity > 0),
    acquired_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint inventory_app_user_id_catalog_item_id_unique unique (app_user_id, catalog_item_id)
  )`,
  "create index inventory_catalog_item_id_index on inventory (catalog_item_id)",
  `create table purchases (
    id uuid primary key,
    app_user_id uuid not null constraint purchases_app_user_id_foreign references app_users on delete cascade,
    store_id uuid not null,
    listing_id uuid not null,
    catalog_item_id uuid not null,
    key text not null,
    currency_code text not null,
    price numeric(20,4) not null,
    reward jsonb,
    created_at timestamptz(3) not null,
    reversed_at timestamptz(3)
  )`,
  "create index purchases_app_user_id_listing_id_index on purchases (app_user_id, listing_id)",
  "create index purchases_app_user_id_created_at_index on purchases (app_user_id, created_at)",
])
