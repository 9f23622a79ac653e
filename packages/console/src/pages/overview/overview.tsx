import "./overview.css"
import { A, useSearchParams } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Filter } from "../../parts/tables/filter.tsx"
import { useProject } from "../../shell/project.tsx"
import { DayChart } from "./day-chart.tsx"
import { Figures } from "./figures.tsx"
import { HourCharts } from "./hour-charts.tsx"
import { ranges, readRange, toSpan } from "./range.ts"
import { RetentionTable } from "./retention.tsx"

const choices = Object.entries(ranges).map(([value, { name }]) => [value, name] as const)

/** How the project does. */
const Overview = () => {
  const project = useProject()
  const [search, setSearch] = useSearchParams<{ range?: string }>()
  const range = () => ranges[readRange(search.range)]
  const overview = createQuery(() => ({
    queryKey: ["overview", project.id(), "users", range().days],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/analytics/overview", {
        params: { path: project.path(), query: toSpan(range().days) },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const sessions = createQuery(() => ({
    queryKey: ["overview", project.id(), "sessions", range().days],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/analytics/sessions", {
        params: { path: project.path(), query: toSpan(range().days) },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const users = createQuery(() => ({
    queryKey: ["users", project.id(), "count"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/users", { params: { path: project.path(), query: { limit: 1 } }, signal }),
    // All users are counted for it: that is done where nobody was active of late.
    enabled: overview.data?.data.mau === 0,
  }))
  return (
    <Page
      title="Overview"
      actions={
        <Filter
          label="Last"
          choices={choices}
          value={readRange(search.range)}
          onChange={(to) => setSearch({ range: to }, { replace: true })}
        />
      }
    >
      <Show when={users.data?.total === 0}>
        <section class="panel">
          Nobody has used this project yet. <A href={project.href("start")}>Get started</A> has the code for the first
          user and the first event.
        </section>
      </Show>
      <Figures range={range()} overview={overview.data?.data} />
      <Show when={range().days === 1}>
        <HourCharts />
      </Show>
      <Loaded of={overview}>
        {(found) => (
          <div class="overview-charts">
            <DayChart
              label="Active users by day"
              of="Active users"
              days={range().days}
              known={found().data.dau.map((day) => ({ date: day.date, count: day.users }))}
            />
            <DayChart
              label="New users by day"
              of="New users"
              days={range().days}
              known={found().data.new_users.map((day) => ({ date: day.date, count: day.users }))}
            />
            <Loaded of={sessions}>
              {(counted) => (
                <DayChart
                  label="Sessions by day"
                  of="Sessions"
                  days={range().days}
                  known={counted().data.days.map((day) => ({ date: day.date, count: day.sessions }))}
                />
              )}
            </Loaded>
          </div>
        )}
      </Loaded>
      <p class="quiet small">Days are those of UTC; the first one and today are not whole.</p>
      <RetentionTable />
    </Page>
  )
}

export default Overview
