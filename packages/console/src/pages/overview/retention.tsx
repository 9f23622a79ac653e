import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"

type Cohort = Schemas["Cohort"]

const weeks = 8
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 })

/** Who of a week's new users was active so many weeks later. Its shade says the share once more. */
const Share = (props: { readonly of: Cohort; readonly week: number }) => {
  const retained = () => props.of.retained[props.week]
  const share = () => (props.of.users === 0 ? 0 : (retained() ?? 0) / props.of.users)
  return (
    <span
      class="cohort-share"
      title={retained() === undefined ? "This week is not over." : `${sayNumber(retained() ?? 0)} users`}
      style={{ "background-color": `color-mix(in srgb, var(--chart-2) ${Math.round(share() * 30)}%, transparent)` }}
    >
      {retained() === undefined || props.of.users === 0 ? "–" : percent.format(share())}
    </span>
  )
}

const columns: Columns<Cohort> = [
  { header: "First seen in the week of", cell: ({ row }) => row.original.week },
  { header: "Users", cell: ({ row }) => sayNumber(row.original.users) },
  ...Array.from({ length: weeks }, (_, week) => ({
    id: `week-${week}`,
    header: week === 0 ? "Same week" : `+${week}`,
    cell: ({ row }: { readonly row: { readonly original: Cohort } }) => <Share of={row.original} week={week} />,
  })),
]

/** From the week of the first new user on, the last week first. */
const shown = (cohorts: ReadonlyArray<Cohort>) =>
  cohorts
    .slice(
      Math.max(
        0,
        cohorts.findIndex(({ users }) => users > 0),
      ),
    )
    .filter(() => cohorts.some(({ users }) => users > 0))
    .toReversed()

/** How many of the new users of each week came back in the weeks after it. */
export const RetentionTable = () => {
  const project = useProject()
  const retention = createQuery(() => ({
    queryKey: ["overview", project.id(), "retention"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/analytics/retention", {
        params: { path: project.path(), query: { weeks } },
        signal,
      }),
  }))
  return (
    <section class="page" aria-label="Retention">
      <h2>Who comes back, by week</h2>
      <Loaded of={retention}>
        {(found) => (
          <Table
            label="Retention by week of the first visit"
            rows={shown(found().data.cohorts)}
            columns={columns}
            empty="Nobody has come yet: with the first users their weeks are shown."
          />
        )}
      </Loaded>
      <p class="quiet small">Weeks begin on Monday, UTC. The present one is not over.</p>
    </section>
  )
}
