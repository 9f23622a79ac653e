import { type Component, lazy } from "solid-js"
import type { ProjectPage } from "./project-page.ts"

/** The list of a sort, and the editor of one of it. */
const listAndEditor = (
  path: string,
  title: string,
  load: () => Promise<{ default: Component }>,
): ReadonlyArray<ProjectPage> => {
  const component = lazy(load)
  return [
    { path, title, section: "Definitions", component },
    { path: `${path}/:definitionId`, component },
  ]
}

/** What the project is made of: streaks, segments, achievements, economy. */
export const definitionPages: ReadonlyArray<ProjectPage> = [
  ...listAndEditor("streaks", "Streaks", () => import("./definitions/streaks.tsx")),
  ...listAndEditor("segments", "Segments", () => import("./definitions/segments.tsx")),
  ...listAndEditor("achievements", "Achievements", () => import("./definitions/achievements.tsx")),
  { path: "xp", title: "XP and levels", section: "Definitions", component: lazy(() => import("./definitions/xp.tsx")) },
  ...listAndEditor("leaderboards", "Leaderboards", () => import("./definitions/leaderboards.tsx")),
  ...listAndEditor("currencies", "Currencies", () => import("./definitions/currencies.tsx")),
  ...listAndEditor("catalog", "Catalog", () => import("./definitions/catalog.tsx")),
  ...listAndEditor("stores", "Stores", () => import("./definitions/stores.tsx")),
  { path: "stores/:definitionId/listings/:listingId", component: lazy(() => import("./definitions/stores.tsx")) },
  ...listAndEditor("referrals", "Referrals", () => import("./definitions/referrals.tsx")),
  ...listAndEditor("onboarding", "Onboarding", () => import("./definitions/onboarding.tsx")),
]
