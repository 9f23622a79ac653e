import type { LimitLookups } from "../access/limit-lookups.ts"
import type { BackgroundControlDb } from "../background/port.ts"
import type { Limits } from "../limits/limits.ts"
import type { Ports } from "../ports/ports.ts"
import type { ProjectsDb } from "../projects/port.ts"
import type { UsersDb } from "../users/port.ts"
import { makeAssets } from "./assets.ts"
import { makeFolders } from "./folders.ts"
import type { MediaDb } from "./port.ts"
import type { MediaLimits } from "./rules.ts"
import { makeUploads } from "./uploads.ts"

type MediaPorts = Pick<
  Ports<MediaDb & UsersDb, BackgroundControlDb & ProjectsDb>,
  "clock" | "control" | "ids" | "revocations" | "secrets" | "storage" | "tenants"
>

/** Files and folders of projects (spec: media; I7). */
export const makeMedia = (
  ports: MediaPorts,
  limits: MediaLimits,
  limit: LimitLookups,
  countNew: Limits["newMedia"],
) => ({
  ...makeAssets(ports, limits, countNew),
  folders: makeFolders(ports),
  files: makeUploads(ports, limits, limit),
})
