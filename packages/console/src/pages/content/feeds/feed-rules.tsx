import "../content.css"
import { A } from "@solidjs/router"
import { api, type Schemas } from "../../../api.ts"
import type { Definition } from "../../../parts/editor/definition.ts"
import { definitionPage } from "../../../parts/editor/definition-page.tsx"
import { flag, line } from "../../../parts/editor/kinds.tsx"
import { useProject } from "../../../shell/project.tsx"

const ToItems = (props: { readonly row?: Schemas["FeedRule"] }) => {
  const project = useProject()
  const query = () => (props.row === undefined ? "" : `?action=${encodeURIComponent(props.row.action)}`)
  return (
    <p>
      <A href={`${project.href("feed")}${query()}`}>What is in the feed</A>
    </p>
  )
}

const feedRules: Definition<Schemas["FeedRule"], Schemas["NewFeedRule"], Schemas["FeedRuleChanges"]> = {
  path: "feed-rules",
  title: "Feed rules",
  noun: "feed rule",
  about: "A rule makes an item of the feed of each event of a name, from then on: what users did, for others to see.",
  sayName: ({ source_event, action }) => `${source_event}: ${action}`,
  columns: [
    { header: "Event", cell: ({ row }) => <code>{row.original.source_event}</code> },
    { header: "Says", cell: ({ row }) => row.original.action },
    { header: "About", cell: ({ row }) => row.original.target_type },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
  ],
  fields: [
    { name: "source_event", label: "Event", kind: line, required: true, hint: "Its name: lesson_completed." },
    { name: "action", label: "What it says", kind: line, required: true, hint: "The word that the app shows." },
    {
      name: "target_type",
      label: "What it is about",
      kind: line,
      hint: "With book, the target is the event's target_id, else its book_id.",
    },
    { name: "is_active", label: "Active", kind: flag, isLater: true },
  ],
  blank: {},
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/feeds/rules", { params: { path, query }, ...(signal ? { signal } : {}) }),
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/feeds/rules", { params: { path }, body })).data,
  change: async (path, ruleId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/feeds/rules/{ruleId}", {
        params: { path: { ...path, ruleId } },
        body,
      })
    ).data,
  remove: (path, ruleId) =>
    api.DELETE("/admin/projects/{projectId}/feeds/rules/{ruleId}", { params: { path: { ...path, ruleId } } }),
  removing: "No further items are made. Those that there are stay.",
  Above: () => <ToItems />,
  Below: (props) => <ToItems row={props.row} />,
}

export default definitionPage(feedRules)
