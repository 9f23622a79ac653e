import { Struct } from "effect"
import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { MediaAssetRow } from "./asset.ts"

/** What the user has uploaded. */
export const mediaAssetsSection: TableSection = {
  name: "media_assets",
  key: ["created_at", "id"],
  columns: describeColumns({ fields: Struct.omit(MediaAssetRow.fields, ["check_at"]) }),
}
