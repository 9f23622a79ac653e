import { type FaultKind, ServiceUnavailable } from "@hearth/core"
import pg from "pg"
import { ConnectionLost } from "./connection-lost.ts"
import { DatabaseBusy } from "./database-busy.ts"

// Invalid data, violated constraints, and data beyond a limit of PostgreSQL, like text that is too long for an index: these
// fail again with the same data.
const dataFault = /^(2[23]|54)/
const statementTimeout = "57014"

/**
 * Classifies a defect. An error of the server counts as a fault only where it is about the data; lost connections, locks,
 * deadlocks, full disks and schema mismatches pass. A defect that did not come from the server is a fault of the code.
 */
export const classifyFault = (defect: unknown): FaultKind => {
  if (defect instanceof ConnectionLost || defect instanceof DatabaseBusy || defect instanceof ServiceUnavailable)
    return "passing"
  if (defect instanceof pg.DatabaseError) {
    if (defect.code === statementTimeout) return "timeout"
    return dataFault.test(defect.code ?? "") ? "fault" : "passing"
  }
  // A statement after the transaction had failed: classify the failure that ended it.
  return defect instanceof Error && defect.cause !== undefined ? classifyFault(defect.cause) : "fault"
}
