import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, line } from "../../parts/editor/kinds.tsx"
import { steps } from "../../parts/editor/steps-kind.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"

type Flow = Schemas["OnboardingFlow"]

const Stats = (props: { readonly row: Flow }) => {
  const project = useProject()
  const stats = createQuery(() => ({
    queryKey: ["onboarding", project.id(), "stats"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/onboarding/stats", {
        params: { path: project.path(), query: { limit: 1000 } },
        signal,
      }),
  }))
  const columns: Columns<Schemas["OnboardingStats"]["steps"][number]> = [
    { header: "Step", cell: ({ row }) => row.original.step + 1 },
    { header: "Users who have come to it", cell: ({ row }) => sayNumber(row.original.reached) },
  ]
  return (
    <section aria-label="How far users come">
      <h2>How far users come</h2>
      <Loaded of={stats}>
        {(found) => (
          <Show
            when={found().data.find(({ flow_id }) => flow_id === props.row.id)}
            fallback={<p class="quiet">Nobody has started it yet.</p>}
          >
            {(flow) => (
              <>
                <p>
                  {sayNumber(flow().total_started)} have started it, {sayNumber(flow().total_completed)} have completed
                  it, and {sayNumber(flow().total_skipped)} have skipped it.
                </p>
                <Table label="Steps" rows={flow().steps} columns={columns} empty="It has no steps." />
              </>
            )}
          </Show>
        )}
      </Loaded>
    </section>
  )
}

const flows: Definition<Flow, Schemas["NewOnboardingFlow"], Schemas["OnboardingFlowChanges"]> = {
  path: "onboarding",
  title: "Onboarding",
  noun: "flow",
  about: "A flow leads new users through steps. The app shows them; here is what they are, and how far users come.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Steps", cell: ({ row }) => row.original.steps.length },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    {
      name: "steps",
      label: "Steps",
      kind: steps,
      hint: "Each is an object that the app knows how to show. Users who have started keep the steps of that moment.",
    },
    { name: "is_active", label: "Active", kind: flag },
  ],
  blank: { is_active: true, steps: [{ title: "Welcome" }] },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/onboarding/flows", { params: { path, query }, ...(signal ? { signal } : {}) }),
  read: async (path, flowId, signal) =>
    (
      await api.GET("/admin/projects/{projectId}/onboarding/flows/{flowId}", {
        params: { path: { ...path, flowId } },
        ...(signal ? { signal } : {}),
      })
    ).data,
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/onboarding/flows", { params: { path }, body })).data,
  change: async (path, flowId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/onboarding/flows/{flowId}", {
        params: { path: { ...path, flowId } },
        body,
      })
    ).data,
  remove: (path, flowId) =>
    api.DELETE("/admin/projects/{projectId}/onboarding/flows/{flowId}", { params: { path: { ...path, flowId } } }),
  removing: "The flow is removed with what users have done of it, and their answers. That cannot be undone.",
  Below: Stats,
}

export default definitionPage(flows)
