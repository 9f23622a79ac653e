import type { Stream } from "effect"
import type { TenantUnavailable } from "../failure.ts"

/** A file that is made while it is sent. Its first piece has been read already. */
export interface ExportFile {
  readonly content_type: string
  readonly filename: string
  /** A failure cuts the file off: it must not look like a whole one. */
  readonly text: Stream.Stream<string, TenantUnavailable>
}
