import type { Stream } from "effect"
import type { TenantFailure } from "../failure.ts"

/** A file that is streamed. Its first piece has been read already. */
export interface ExportFile {
  readonly content_type: string
  readonly filename: string
  /** A failure must cut the file off, so that it does not look complete. */
  readonly text: Stream.Stream<string, TenantFailure>
}
