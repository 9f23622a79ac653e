import type { AdminMessage, Message } from "@hearth/core/messaging"

/** A user as others see one; null where the user is gone. `alias` is of `app_users`. */
export const personSql = (alias: string): string =>
  `case when ${alias}.id is not null then jsonb_build_object(
     'id', ${alias}.id, 'display_name', ${alias}.display_name, 'avatar_url', ${alias}.avatar_url) end`

/** What users see of the body of a message: nothing where it was rejected. */
export const bodySql = (alias: string): string => `case when ${alias}.moderation <> 'rejected' then ${alias}.body end`

/** The hour (UTC) of an instant. */
export const hourSql = (instant: string): string => `date_trunc('hour', ${instant}, 'UTC')`

/** The columns of a message for users. `m` is the message, `u` its sender. */
export const messageColumns = `m.id, m.conversation_id, m.sender_id, ${bodySql("m")} as body, m.created_at,
  ${personSql("u")} as sender`

/** The columns of a message for developers. */
export const adminColumns = `m.id, m.conversation_id, m.sender_id, m.body, m.moderation, m.created_at,
  ${personSql("u")} as sender`

/** The newest message of a conversation with its sender, as it is joined to that. */
export interface LastColumns {
  readonly last_id: string | null
  readonly last_sender_id: string | null
  readonly last_body: string | null
  readonly last_moderation: AdminMessage["moderation"]
  readonly last_at: Date
  readonly last_sender: Message["sender"]
}

/** What is selected of it. `m` is the message, `u` its sender. */
export const lastColumns = (body: string): string =>
  `m.id as last_id, m.sender_id as last_sender_id, ${body} as last_body, m.moderation as last_moderation,
   m.created_at as last_at, ${personSql("u")} as last_sender`

/** What is beside these columns, and the message that they are, as users see it; null where there is none. */
export const splitLast = <Row extends LastColumns & { readonly id: string }>({
  last_id,
  last_sender_id,
  last_body,
  last_moderation: moderation,
  last_at,
  last_sender,
  ...row
}: Row) => {
  const sent = { sender_id: last_sender_id, body: last_body, created_at: last_at, sender: last_sender }
  const message: Message | null = last_id === null ? null : { id: last_id, conversation_id: row.id, ...sent }
  return { row, message, moderation }
}
