import { createQuery } from "@tanstack/solid-query"
import { api } from "../../api.ts"
import { Chart } from "../../parts/chart.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { useProject } from "../../shell/project.tsx"

/** How the project does. */
const Overview = () => {
  const project = useProject()
  const overview = createQuery(() => ({
    queryKey: ["overview", project.id()],
    queryFn: () => api.GET("/admin/projects/{projectId}/analytics/overview", { params: { path: project.path() } }),
  }))
  return (
    <Page title="Overview">
      <Loaded of={overview}>
        {(found) => (
          <Chart
            label="Active users by day"
            times={found().data.dau.map(({ date }) => Date.parse(date) / 1_000)}
            series={[{ label: "Active users", values: found().data.dau.map(({ users }) => users) }]}
          />
        )}
      </Loaded>
    </Page>
  )
}

export default Overview
