import { lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

const section = "Content"
const libraries = lazy(() => import("./content/libraries/libraries.tsx"))
const schedules = lazy(() => import("./content/schedules/schedules.tsx"))
const feedRules = lazy(() => import("./content/feeds/feed-rules.tsx"))
const groups = lazy(() => import("./content/groups/groups.tsx"))
const rules = lazy(() => import("./content/rules/moderation-rules.tsx"))

/** What users see and make: libraries, feeds, groups, media, links. */
export const contentPages: ReadonlyArray<ProjectPage> = [
  { path: "libraries", title: "Libraries", section, component: libraries },
  { path: "libraries/:definitionId", component: libraries },
  { path: "schedules", title: "Schedules", section, component: schedules },
  { path: "schedules/:definitionId", component: schedules },
  { path: "media", title: "Media", section, component: lazy(() => import("./content/media/media.tsx")) },
  { path: "links", title: "Deep links", section, component: lazy(() => import("./content/links/links.tsx")) },
  { path: "links/:linkId", component: lazy(() => import("./content/links/link.tsx")) },
  { path: "feed", title: "Feed", section, component: lazy(() => import("./content/feeds/feed.tsx")) },
  { path: "feed-rules", title: "Feed rules", section, component: feedRules },
  { path: "feed-rules/:definitionId", component: feedRules },
  { path: "groups", title: "Groups", section, component: groups },
  { path: "groups/:definitionId", component: groups },
  { path: "reviews", title: "Reviews", section, component: lazy(() => import("./content/reviews/reviews.tsx")) },
  {
    path: "conversations",
    title: "Conversations",
    section,
    component: lazy(() => import("./content/messages/conversations.tsx")),
  },
  {
    path: "conversations/:conversationId",
    component: lazy(() => import("./content/messages/conversation.tsx")),
  },
  { path: "moderation-rules", title: "Moderation rules", section, component: rules },
  { path: "moderation-rules/:definitionId", component: rules },
]
