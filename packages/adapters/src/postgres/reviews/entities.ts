import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

const bestFirst =
  "create index reviewable_items_avg_rating_id_index on reviewable_items (avg_rating desc nulls last, id)"

export const ReviewableItem = defineEntity({
  name: "ReviewableItem",
  tableName: "reviewable_items",
  properties: {
    id: p.uuid().primary(),
    item_type: p.text(),
    item_id: p.text(),
    avg_rating: p.double().nullable(),
    review_count: p.integer().check("review_count >= 0"),
    rating_sum: p.integer().check("rating_sum >= 0"),
  },
  uniques: [{ properties: ["item_type", "item_id"] }],
  indexes: [{ name: "reviewable_items_avg_rating_id_index", expression: bestFirst }],
})

export const Review = defineEntity({
  name: "Review",
  tableName: "reviews",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").updateRule("no action"),
    reviewable_item_id: () => p.manyToOne(ReviewableItem).mapToPk().deleteRule("cascade").updateRule("no action"),
    rating: p.integer().check("rating >= 1 and rating <= 5"),
    title: p.text().nullable(),
    body: p.text().nullable(),
    is_approved: p.boolean(),
    moderation: p.enum(["shown", "held", "rejected"] as const).default("shown"),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "reviewable_item_id"] }],
  indexes: [
    { properties: ["reviewable_item_id", "created_at", "id"] },
    { properties: ["is_approved", "created_at", "id"] },
    { properties: ["created_at", "id"] },
  ],
})

/** The tables of reviews. */
export const reviews = schemaStep("0031-reviews", [
  `create table reviewable_items (
    id uuid primary key,
    item_type text not null,
    item_id text not null,
    avg_rating double precision,
    review_count int not null constraint reviewable_items_review_count_check check (review_count >= 0),
    rating_sum int not null constraint reviewable_items_rating_sum_check check (rating_sum >= 0),
    constraint reviewable_items_item_type_item_id_unique unique (item_type, item_id)
  )`,
  bestFirst,
  `create table reviews (
    id uuid primary key,
    app_user_id uuid not null constraint reviews_app_user_id_foreign references app_users on delete cascade,
    reviewable_item_id uuid not null
      constraint reviews_reviewable_item_id_foreign references reviewable_items on delete cascade,
    rating int not null constraint reviews_rating_check check (rating >= 1 and rating <= 5),
    title text,
    body text,
    is_approved boolean not null,
    moderation text not null default 'shown'
      constraint reviews_moderation_check check (moderation in ('shown', 'held', 'rejected')),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint reviews_app_user_id_reviewable_item_id_unique unique (app_user_id, reviewable_item_id)
  )`,
  "create index reviews_reviewable_item_id_created_at_id_index on reviews (reviewable_item_id, created_at, id)",
  "create index reviews_is_approved_created_at_id_index on reviews (is_approved, created_at, id)",
  "create index reviews_created_at_id_index on reviews (created_at, id)",
])
