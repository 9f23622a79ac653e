import type { FaultKind } from "@hearth/core"
import pg from "pg"
import { ConnectionLost } from "./connection-lost.ts"

// Data that a statement cannot take, and rules of the schema that it breaks: these come again with the same data.
const dataFault = /^2[23]/
const statementTimeout = "57014"

/**
 * What sort of defect it is. An error of the server counts as a fault only where it is about the data; connections, locks,
 * deadlocks, disks and schemas pass. Whatever did not come from the server is a fault of the code.
 */
export const classifyFault = (defect: unknown): FaultKind => {
  if (defect instanceof ConnectionLost) return "passing"
  if (defect instanceof pg.DatabaseError) {
    if (defect.code === statementTimeout) return "timeout"
    return dataFault.test(defect.code ?? "") ? "fault" : "passing"
  }
  // A transaction that had ended with a failure: the failure is what counts.
  return defect instanceof Error && defect.cause !== undefined ? classifyFault(defect.cause) : "fault"
}
