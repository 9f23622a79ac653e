import type { Engagement } from "@hearth/core"
import type { Row } from "../http/routing/route.ts"
import { adminUsers } from "./admin-users.ts"
import { adminUserExports } from "./admin-users-exports.ts"
import { clientAuth, clientSessions } from "./client-auth.ts"
import { clientUsers } from "./client-users.ts"
import { developerAuth } from "./developer-auth.ts"
import { adminEvents, clientEvents } from "./events.ts"
import { projectRows } from "./projects.ts"
import { adminSegments } from "./segments.ts"
import { adminStreaks, clientStreaks } from "./streaks.ts"

/** Rows that belong together, under a heading of the reference. */
export interface Section {
  readonly title: string
  readonly rows: ReadonlyArray<Row<Engagement>>
}

/** The whole API, in the spec's order. */
export const sections: ReadonlyArray<Section> = [
  { title: "Client plane: authentication", rows: clientAuth },
  { title: "Client plane: own sessions", rows: clientSessions },
  { title: "Client plane: own profile", rows: clientUsers },
  { title: "Client plane: events", rows: clientEvents },
  { title: "Client plane: streaks", rows: clientStreaks },
  { title: "Developer auth", rows: developerAuth },
  { title: "Admin plane: projects, client keys and members", rows: projectRows },
  { title: "Admin plane: users", rows: [...adminUsers, ...adminUserExports] },
  { title: "Admin plane: events", rows: adminEvents },
  { title: "Admin plane: streaks", rows: adminStreaks },
  { title: "Admin plane: segments", rows: adminSegments },
]

/** Every row of the API, in the spec's order. */
export const rows: ReadonlyArray<Row<Engagement>> = sections.flatMap((section) => section.rows)
