import { HearthError } from "@hearth/client"
import type { FieldIssue } from "./field-kind.ts"

/** What the service has said about single fields. */
export const readIssues = (error: unknown): ReadonlyArray<FieldIssue> => {
  const details = error instanceof HearthError ? (error.details as { readonly issues?: unknown } | null) : null
  return Array.isArray(details?.issues) ? details.issues : []
}
