import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

const formerUser = () => p.manyToOne(User).mapToPk().deleteRule("set null").updateRule("no action").nullable()

export const Conversation = defineEntity({
  name: "Conversation",
  tableName: "conversations",
  properties: {
    id: p.uuid().primary(),
    type: p.text(),
    name: p.text().nullable(),
    creator_id: () => formerUser().index(),
    pair: p.text().nullable().unique(),
    created_at: p.datetime(3),
    last_number: p.integer().check("last_number >= 0"),
    message_count: p.integer().check("message_count >= 0"),
    held_count: p.integer().check("held_count >= 0"),
    newest_at: p.datetime(3),
    latest_at: p.datetime(3),
  },
  indexes: [{ properties: ["newest_at", "id"] }],
})

const ofConversation = () => p.manyToOne(Conversation).mapToPk().deleteRule("cascade").updateRule("no action")

/** Reading changes no column of an index. */
export const Participant = defineEntity({
  name: "Participant",
  tableName: "conversation_participants",
  properties: {
    conversation_id: () => ofConversation().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().primary().deleteRule("cascade").updateRule("no action"),
    joined_at: p.datetime(3),
    read_number: p.integer().check("read_number >= 0"),
    held_at: p.datetime(3).nullable(),
    latest_hour: p.datetime(3),
  },
  indexes: [{ properties: ["app_user_id", "latest_hour"] }],
})

/** However many messages are held, those that all see are found by one index, and those that a sender sees by another. */
export const Message = defineEntity({
  name: "Message",
  tableName: "messages",
  properties: {
    id: p.uuid().primary(),
    conversation_id: ofConversation,
    number: p.integer().check("number > 0"),
    sender_id: formerUser,
    body: p.text().nullable(),
    client_message_id: p.text().nullable(),
    moderation: p.text(),
    created_at: p.datetime(3),
  },
  uniques: [
    { properties: ["conversation_id", "number"] },
    {
      name: "messages_client_message_id_unique",
      properties: ["conversation_id", "sender_id", "client_message_id"],
      where: "client_message_id is not null",
    },
  ],
  indexes: [
    { properties: ["sender_id", "id"] },
    { name: "messages_visible_index", properties: ["conversation_id", "number"], where: "moderation <> 'held'" },
    {
      name: "messages_held_index",
      properties: ["conversation_id", "sender_id", "number"],
      where: "moderation = 'held'",
    },
  ],
})

/** The tables of messaging. Pages of participants have room for what they read. */
export const messaging = schemaStep("0030-messaging", [
  `create table conversations (
    id uuid primary key,
    type text not null,
    name text,
    creator_id uuid constraint conversations_creator_id_foreign references app_users on delete set null,
    pair text constraint conversations_pair_unique unique,
    created_at timestamptz(3) not null,
    last_number int not null constraint conversations_last_number_check check (last_number >= 0),
    message_count int not null constraint conversations_message_count_check check (message_count >= 0),
    held_count int not null constraint conversations_held_count_check check (held_count >= 0),
    newest_at timestamptz(3) not null,
    latest_at timestamptz(3) not null
  )`,
  "create index conversations_creator_id_index on conversations (creator_id)",
  "create index conversations_newest_at_id_index on conversations (newest_at, id)",
  `create table conversation_participants (
    conversation_id uuid not null
      constraint conversation_participants_conversation_id_foreign references conversations on delete cascade,
    app_user_id uuid not null
      constraint conversation_participants_app_user_id_foreign references app_users on delete cascade,
    joined_at timestamptz(3) not null,
    read_number int not null constraint conversation_participants_read_number_check check (read_number >= 0),
    held_at timestamptz(3),
    latest_hour timestamptz(3) not null,
    primary key (conversation_id, app_user_id)
  ) with (fillfactor = 85)`,
  `create index conversation_participants_app_user_id_latest_hour_index
    on conversation_participants (app_user_id, latest_hour)`,
  `create table messages (
    id uuid primary key,
    conversation_id uuid not null
      constraint messages_conversation_id_foreign references conversations on delete cascade,
    number int not null constraint messages_number_check check (number > 0),
    sender_id uuid constraint messages_sender_id_foreign references app_users on delete set null,
    body text,
    client_message_id text,
    moderation text not null,
    created_at timestamptz(3) not null,
    constraint messages_conversation_id_number_unique unique (conversation_id, number)
  )`,
  `create unique index messages_client_message_id_unique on messages (conversation_id, sender_id, client_message_id)
    where client_message_id is not null`,
  "create index messages_sender_id_id_index on messages (sender_id, id)",
  "create index messages_visible_index on messages (conversation_id, number) where moderation <> 'held'",
  "create index messages_held_index on messages (conversation_id, sender_id, number) where moderation = 'held'",
])
