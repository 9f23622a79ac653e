import type { Figure } from "../bench/harness/figure.ts"
import { runProbes } from "../packages/server/test/generated/probes.ts"
import { runGeneratedRequests } from "../packages/server/test/generated/run-requests.ts"
import { printFindings, withHarness } from "./harness.ts"

const seed = Number(process.env["FAULTS_SEED"] ?? 20_261_121)

const listStatuses = (statuses: ReadonlyMap<number, number>) =>
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(", ")

/** Generated requests over every route: no 5xx, no status that is not documented, no answer outside of its schema. */
export const requests = (count: number): Promise<ReadonlyArray<Figure>> =>
  withHarness(async (harness) => {
    const { api, url, errors } = await harness.server({ DATA_DIR: harness.folder() })
    const { sent, statuses, faults, undocumented, misshapen } = await runGeneratedRequests(api, url, count, seed)
    printFindings("5xx", faults)
    if (faults.length > 0)
      printFindings(
        "log",
        errors()
          .split("\n")
          .filter((line) => line.includes('"cause"')),
      )
    printFindings("undocumented", undocumented)
    printFindings("outside of its schema", misshapen)
    console.log(`  seed ${seed}: ${listStatuses(statuses)}`)
    const wrong = [faults, undocumented, misshapen].map(({ length }) => length)
    return [
      {
        name: `Generated requests, ${sent.toLocaleString("en")}`,
        measured: `${wrong[0]} × 5xx, ${wrong[1]} undocumented statuses, ${wrong[2]} answers outside of the schema`,
        bound: "0, 0, 0",
        kept: sent >= count && wrong.every((found) => found === 0),
      },
    ]
  })

/** Requests with the credentials of one project and the ids of another. */
export const tenants = (count: number): Promise<ReadonlyArray<Figure>> =>
  withHarness(async (harness) => {
    const { api, url } = await harness.server({ DATA_DIR: harness.folder() })
    const { sent, statuses, leaks, changes } = await runProbes(api, url, count, seed)
    printFindings("leak", leaks)
    printFindings("change", changes)
    console.log(`  seed ${seed}: ${listStatuses(statuses)}`)
    return [
      {
        name: `Cross-tenant probes, ${sent.toLocaleString("en")}`,
        measured: `${leaks.length} with foreign data, ${changes.length} foreign lists changed`,
        bound: "0, 0",
        kept: sent >= count && leaks.length + changes.length === 0,
      },
    ]
  })
