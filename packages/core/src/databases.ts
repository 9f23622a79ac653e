import type { AchievementsDb } from "./achievements/port.ts"
import type { AuthDb } from "./auth/port.ts"
import type { BackgroundControlDb, BackgroundDb } from "./background/port.ts"
import type { EntitlementsDb } from "./entitlements/port.ts"
import type { EventsDb } from "./events/port.ts"
import type { ExportsDb } from "./exports/port.ts"
import type { LeaderboardsDb } from "./leaderboards/port.ts"
import type { Ports as PortsOver } from "./ports/ports.ts"
import type { ProjectsDb } from "./projects/port.ts"
import type { PushDb } from "./push/port.ts"
import type { SegmentsDb } from "./segments/port.ts"
import type { StreaksDb } from "./streaks/port.ts"
import type { UsersDb } from "./users/port.ts"

/** Everything that a project has, bound to its own database: what each feature keeps there. */
export interface TenantDb
  extends AchievementsDb,
    AuthDb,
    BackgroundDb,
    EntitlementsDb,
    EventsDb,
    ExportsDb,
    LeaderboardsDb,
    PushDb,
    SegmentsDb,
    StreaksDb,
    UsersDb {}

/** What is about no single project: what each feature keeps in the control database. */
export interface ControlDb extends BackgroundControlDb, ProjectsDb {}

/** All that the service needs from outside. Whoever brings these has the whole of it. */
export interface Ports extends PortsOver<TenantDb, ControlDb> {}
