import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { line, lines } from "../../parts/editor/kinds.tsx"
import { rules } from "../../parts/rules/rules-kind.tsx"
import { sayMany, sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"
import { Explain } from "./explain.tsx"

type Segment = Schemas["Segment"]

const Members = (props: { readonly row: Segment }) => {
  const project = useProject()
  const client = useQueryClient()
  const evaluate = async () => {
    await api.POST("/admin/projects/{projectId}/segments/{segmentId}/evaluate", {
      params: { path: { ...project.path(), segmentId: props.row.id } },
    })
    await client.invalidateQueries({ queryKey: ["segments", project.id()] })
  }
  return (
    <>
      <section class="panel row" aria-label="Members">
        <span>
          <strong>{sayNumber(props.row.user_count)}</strong> members, as evaluated{" "}
          <Time at={props.row.last_evaluated_at} />
        </span>
        <Show when={project.mayWrite()}>
          <Confirm
            action="Evaluate now"
            says="The members are found again in the background. That is done every 15 minutes anyway."
            done="The evaluation has begun."
            run={evaluate}
          />
        </Show>
      </section>
      <Explain row={props.row} />
    </>
  )
}

const segments: Definition<Segment, Schemas["NewSegment"], Schemas["SegmentChanges"]> = {
  path: "segments",
  title: "Segments",
  noun: "segment",
  about:
    "A segment is a set of users, described by rules: for stores, campaigns and whatever else is not for everybody.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Members", cell: ({ row }) => sayNumber(row.original.user_count) },
    { header: "Evaluated", cell: ({ row }) => <Time at={row.original.last_evaluated_at} /> },
    { header: "Made by", cell: ({ row }) => (row.original.is_system ? "the platform" : "you") },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    {
      name: "rules",
      label: "Rules",
      kind: rules(
        "rules",
        (count) => `${sayMany(count, "user fits", "users fit")} now`,
        async (path, tree, signal) => {
          const { data } = await api.POST("/admin/projects/{projectId}/segments/preview", {
            params: { path },
            body: { rules: tree },
            signal,
          })
          const users = data.sample.map(({ id, display_name, email }) => ({ id, name: display_name || email || id }))
          return { count: data.user_count, users }
        },
      ),
    },
  ],
  blank: { rules: { operator: "AND", conditions: [{ field: "last_seen_at", op: "within", value: "7d" }] } },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/segments", { params: { path, query }, ...(signal ? { signal } : {}) }),
  read: async (path, segmentId, signal) =>
    (
      await api.GET("/admin/projects/{projectId}/segments/{segmentId}", {
        params: { path: { ...path, segmentId } },
        ...(signal ? { signal } : {}),
      })
    ).data,
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/segments", { params: { path }, body })).data,
  change: async (path, segmentId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/segments/{segmentId}", {
        params: { path: { ...path, segmentId } },
        body,
      })
    ).data,
  remove: (path, segmentId) =>
    api.DELETE("/admin/projects/{projectId}/segments/{segmentId}", { params: { path: { ...path, segmentId } } }),
  removing:
    "The segment is removed; its members stay users. Stores that were only for them are closed, and campaigns to them fail.",
  isEditable: ({ is_system }) => !is_system,
  Below: Members,
}

export default definitionPage(segments)
