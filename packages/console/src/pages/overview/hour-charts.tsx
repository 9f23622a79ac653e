import { api, type Schemas } from "../../api.ts"
import { Chart } from "../../parts/chart.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"

type HourCount = Schemas["HourCount"]

const hourMillis = 3_600_000
const hoursShown = 24

const presentHour = () => Math.floor(Date.now() / hourMillis) * hourMillis

/** The last hours, the present one included; those in which there was nothing with 0. */
const fillHours = (known: ReadonlyArray<HourCount>): ReadonlyArray<HourCount> => {
  const counts = new Map(known.map((each) => [Date.parse(each.hour), each]))
  const first = presentHour() - (hoursShown - 1) * hourMillis
  return Array.from({ length: hoursShown }, (_, at) => {
    const hour = first + at * hourMillis
    return counts.get(hour) ?? { hour: new Date(hour).toISOString(), events: 0, users: 0 }
  })
}

const columns: Columns<HourCount> = [
  { header: "From", cell: ({ row }) => <Time at={row.original.hour} /> },
  { header: "Events", cell: ({ row }) => sayNumber(row.original.events) },
  { header: "Users", cell: ({ row }) => sayNumber(row.original.users) },
]

/** Events and their users by hour, with the same as a table for those who do not see the charts. */
export const HourCharts = () => {
  const project = useProject()
  const hours = createQuery(() => ({
    queryKey: ["overview", project.id(), "hours"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/analytics/hours", {
        params: {
          path: project.path(),
          query: { since: new Date(presentHour() - (hoursShown - 1) * hourMillis).toISOString() },
        },
        signal,
      }),
  }))
  return (
    <Loaded of={hours}>
      {(found) => {
        const shown = () => fillHours(found().data.hours)
        // The middle of the hour, so that its bar stands between its ends.
        const times = () => shown().map(({ hour }) => (Date.parse(hour) + hourMillis / 2) / 1_000)
        return (
          <>
            <div class="overview-charts">
              <section class="panel">
                <Chart
                  label="Events by hour"
                  of="Events"
                  over="Hour, in your zone"
                  times={times()}
                  series={[{ label: "Events", values: shown().map(({ events }) => events) }]}
                  bars
                />
              </section>
              <section class="panel">
                <Chart
                  label="Users who did something by hour"
                  of="Users"
                  over="Hour, in your zone"
                  times={times()}
                  series={[{ label: "Users", values: shown().map(({ users }) => users) }]}
                  bars
                />
              </section>
            </div>
            <details>
              <summary>Events and users by hour, as a table</summary>
              <Table
                label="Events and users by hour"
                rows={found().data.hours.toReversed()}
                columns={columns}
                empty="There was nothing in this time."
              />
            </details>
          </>
        )
      }}
    </Loaded>
  )
}
