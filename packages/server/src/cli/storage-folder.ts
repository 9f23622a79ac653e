import { join } from "node:path"
import { parseStorageUrl } from "@hearth/adapters"
import type { ServerConfig } from "../config.ts"

/** The folder with the files of media; null where they are in a bucket. */
export const findMediaFolder = ({
  storageUrl,
  dataDir,
}: Pick<ServerConfig, "storageUrl" | "dataDir">): string | null => {
  const address = storageUrl === null ? null : parseStorageUrl(storageUrl)
  return address?.kind === "s3" ? null : (address?.folder ?? join(dataDir, "media"))
}
