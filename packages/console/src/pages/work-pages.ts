import { lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

/** What waits for somebody: moderation, webhooks, campaigns. */
export const workPages: ReadonlyArray<ProjectPage> = [
  {
    path: "moderation",
    title: "Moderation",
    section: "Work",
    component: lazy(() => import("./work/moderation.tsx")),
  },
  { path: "webhooks", title: "Webhooks", section: "Work", component: lazy(() => import("./work/webhooks.tsx")) },
  { path: "webhooks/:inboxId", component: lazy(() => import("./work/webhook.tsx")) },
  {
    path: "dead-letters",
    title: "Dead letters",
    section: "Work",
    component: lazy(() => import("./work/dead-letters.tsx")),
  },
  { path: "dead-letters/:letterId", component: lazy(() => import("./work/dead-letter.tsx")) },
  {
    path: "campaigns",
    title: "Push campaigns",
    section: "Work",
    component: lazy(() => import("./work/campaigns.tsx")),
  },
  { path: "campaigns/new", component: lazy(() => import("./work/campaign-new.tsx")) },
  { path: "campaigns/:campaignId", component: lazy(() => import("./work/campaign.tsx")) },
  { path: "campaigns/:campaignId/edit", component: lazy(() => import("./work/campaign-edit.tsx")) },
  { path: "exports", title: "Exports", section: "Work", component: lazy(() => import("./work/exports.tsx")) },
]
