import type { Engagement } from "@hearth/core"
import type { Row } from "../http/row.ts"
import { adminUsers } from "../rows/admin-users.ts"
import { clientAuth } from "../rows/client-auth.ts"
import { clientUsers } from "../rows/client-users.ts"
import { developerAuth } from "../rows/developer-auth.ts"
import { adminEvents, clientEvents } from "../rows/events.ts"
import { projectRows } from "../rows/projects.ts"
import { adminStreaks, clientStreaks } from "../rows/streaks.ts"

/** Rows that the reference shows under one heading. */
export interface Section<Core> {
  readonly title: string
  readonly rows: ReadonlyArray<Row<Core>>
}

/** The rows of Hearth under the headings of the spec: all of them, in their own order. */
export const sections: ReadonlyArray<Section<Engagement>> = [
  { title: "Client plane: authentication", rows: clientAuth },
  { title: "Client plane: own profile", rows: clientUsers },
  { title: "Client plane: events", rows: clientEvents },
  { title: "Client plane: streaks", rows: clientStreaks },
  { title: "Developer auth", rows: developerAuth },
  { title: "Admin plane: projects, client keys and members", rows: projectRows },
  { title: "Admin plane: users", rows: adminUsers },
  { title: "Admin plane: events", rows: adminEvents },
  { title: "Admin plane: streaks", rows: adminStreaks },
]
