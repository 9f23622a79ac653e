import { Chart } from "../../parts/chart.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"

/** What was counted on a day of UTC. */
export interface DayCount {
  readonly date: string
  readonly count: number
}

const dayMillis = 86_400_000

// Noon of a day in UTC is on that day in nearly every zone: the axis is in the viewer's.
const noonOf = ({ date }: DayCount) => Date.parse(`${date}T12:00:00Z`) / 1_000

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** So many days up to today, those on which there was nothing with 0. */
const fillDays = (days: number, known: ReadonlyArray<DayCount>): ReadonlyArray<DayCount> => {
  const counts = new Map(known.map((day) => [day.date, day.count]))
  const now = Date.now()
  return Array.from({ length: days + 1 }, (_, at) => {
    const date = dayOf(now - (days - at) * dayMillis)
    return { date, count: counts.get(date) ?? 0 }
  })
}

/** A figure by day, with the same as a table for those who do not see it. */
export const DayChart = (props: {
  readonly label: string
  /** What is counted. */
  readonly of: string
  readonly days: number
  readonly known: ReadonlyArray<DayCount>
}) => {
  const shown = () => fillDays(props.days, props.known)
  const columns = (): Columns<DayCount> => [
    { header: "Day (UTC)", cell: ({ row }) => row.original.date },
    { header: props.of, cell: ({ row }) => sayNumber(row.original.count) },
  ]
  return (
    <section class="panel">
      <Chart
        label={props.label}
        of={props.of}
        over="Day (UTC)"
        isByDay
        times={shown().map(noonOf)}
        series={[{ label: props.of, values: shown().map((day) => day.count) }]}
        bars={props.days <= 30}
      />
      <details>
        <summary>{props.label}, as a table</summary>
        <Table
          label={props.label}
          rows={shown()
            .filter((day) => day.count > 0)
            .toReversed()}
          columns={columns()}
          empty="There was nothing in this time."
        />
      </details>
    </section>
  )
}
