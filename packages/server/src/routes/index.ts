import type { Engagement } from "@hearth/core"
import type { Route } from "../http/routing/route.ts"
import { adminUsers } from "./admin-users.ts"
import { adminUserExports } from "./admin-users-exports.ts"
import { clientAuth, clientSessions } from "./client-auth.ts"
import { clientUsers } from "./client-users.ts"
import { developerAuth } from "./developer-auth.ts"
import { adminEvents, clientEvents } from "./events.ts"
import { projectRoutes } from "./projects.ts"
import { adminSegments } from "./segments.ts"
import { adminStreaks, clientStreaks } from "./streaks.ts"

/** Routes that belong together, under a heading of the reference. */
export interface Section {
  readonly title: string
  readonly routes: ReadonlyArray<Route<Engagement>>
}

/** The whole API, in the spec's order. */
export const sections: ReadonlyArray<Section> = [
  { title: "Client plane: authentication", routes: clientAuth },
  { title: "Client plane: own sessions", routes: clientSessions },
  { title: "Client plane: own profile", routes: clientUsers },
  { title: "Client plane: events", routes: clientEvents },
  { title: "Client plane: streaks", routes: clientStreaks },
  { title: "Developer auth", routes: developerAuth },
  { title: "Admin plane: projects, client keys and members", routes: projectRoutes },
  { title: "Admin plane: users", routes: [...adminUsers, ...adminUserExports] },
  { title: "Admin plane: events", routes: adminEvents },
  { title: "Admin plane: streaks", routes: adminStreaks },
  { title: "Admin plane: segments", routes: adminSegments },
]

/** Every route of the API, in the spec's order. */
export const routes: ReadonlyArray<Route<Engagement>> = sections.flatMap((section) => section.routes)
