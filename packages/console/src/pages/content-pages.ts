import { lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

const section = "Content"

/** What users see and make: libraries, feeds, groups, media, links. */
export const contentPages: ReadonlyArray<ProjectPage> = [
  { path: "media", title: "Media", section, component: lazy(() => import("./content/media/media.tsx")) },
  { path: "links", title: "Deep links", section, component: lazy(() => import("./content/links/links.tsx")) },
  { path: "links/:linkId", component: lazy(() => import("./content/links/link.tsx")) },
  { path: "feed", title: "Feed", section, component: lazy(() => import("./content/feeds/feed.tsx")) },
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
]
