import { adminUsers } from "./admin-users.ts"
import { clientAuth } from "./client-auth.ts"
import { clientUsers } from "./client-users.ts"
import { developerAuth } from "./developer-auth.ts"
import { adminEvents, clientEvents } from "./events.ts"
import { projectRows } from "./projects.ts"
import { adminStreaks, clientStreaks } from "./streaks.ts"

/** Every row of the API, in the spec's order. */
export const rows = [
  ...clientAuth,
  ...clientUsers,
  ...clientEvents,
  ...clientStreaks,
  ...developerAuth,
  ...projectRows,
  ...adminUsers,
  ...adminEvents,
  ...adminStreaks,
]
