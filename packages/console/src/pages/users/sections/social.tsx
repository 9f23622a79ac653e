import { RecordsList } from "../records.tsx"

/** What the user has to do with others: groups, messages, reviews, reports. */
const Social = () => (
  <RecordsList
    of={[
      {
        section: "group_memberships",
        title: "Groups",
        fields: ["group_id", "role", "joined_at"],
        empty: "The user is in no group.",
      },
      {
        section: "conversations",
        title: "Conversations",
        fields: ["created_at", "type", "name"],
        empty: "The user takes part in none.",
      },
      {
        section: "messages",
        title: "Messages",
        fields: ["created_at", "body", "conversation_id"],
        empty: "The user has written none.",
      },
      {
        section: "reviews",
        title: "Reviews",
        fields: ["created_at", "rating", "title", "body", "is_approved", "moderation"],
        empty: "The user has written none.",
      },
      {
        section: "moderation_reports",
        title: "Reported by this user",
        fields: ["created_at", "content_type", "reason"],
        empty: "The user has reported nothing.",
      },
      {
        section: "trust_levels",
        title: "Trust",
        fields: ["trust_level", "auto_approve", "updated_at"],
        empty: "Nobody has set one.",
      },
      {
        section: "content_items",
        title: "Content",
        fields: ["created_at", "title", "category", "moderation"],
        empty: "The user has made none.",
      },
      {
        section: "media_assets",
        title: "Files",
        fields: ["created_at", "filename", "mime_type", "size_bytes", "status"],
        empty: "The user has uploaded none.",
      },
      {
        section: "feed_items",
        title: "In feeds",
        fields: ["created_at", "action", "target_id"],
        empty: "Nothing of this user is in feeds.",
      },
      {
        section: "follows",
        title: "Follows",
        fields: ["created_at", "followed_id"],
        empty: "The user follows nobody.",
      },
      {
        section: "blocks",
        title: "Blocks",
        fields: ["created_at", "blocked_id"],
        empty: "The user has blocked nobody.",
      },
    ]}
  />
)

export default Social
