import { userAchievementsSection } from "./achievements/sections.ts"
import { accountLinksSection } from "./auth/sections.ts"
import type { TenantDb } from "./databases.ts"
import { userEntitlementsSection } from "./entitlements/sections.ts"
import { engagementEventsSection } from "./events/sections.ts"
import type { ExportSection } from "./exports/section.ts"
import { leaderboardEntriesSection } from "./leaderboards/sections.ts"
import { pushTokensSection } from "./push/sections.ts"
import { segmentMembershipsSection } from "./segments/sections.ts"
import { streakEventsSection, userStreaksSection } from "./streaks/sections.ts"
import { appUsersSection } from "./users/sections.ts"

/** The parts of the file about one user, in the spec's order: who the user is first, the events last (spec: data-access bundle). */
export const exportSections: ReadonlyArray<ExportSection<TenantDb>> = [
  appUsersSection,
  accountLinksSection,
  pushTokensSection,
  userEntitlementsSection,
  segmentMembershipsSection,
  userStreaksSection,
  streakEventsSection,
  userAchievementsSection,
  leaderboardEntriesSection,
  engagementEventsSection,
]
