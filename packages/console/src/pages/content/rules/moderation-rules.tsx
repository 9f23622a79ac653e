import "../content.css"
import { api, type Schemas } from "../../../api.ts"
import type { Definition } from "../../../parts/editor/definition.ts"
import { definitionPage } from "../../../parts/editor/definition-page.tsx"
import { choice, flag, line } from "../../../parts/editor/kinds.tsx"
import { ruleConfig } from "./rule-config.tsx"
import { ruleTypes } from "./rule-types.ts"
import { TryRule } from "./try-rule.tsx"

type Rule = Schemas["ModerationRule"]

const rules: Definition<Rule, Schemas["NewModerationRule"], Schemas["ModerationRuleChanges"]> = {
  path: "moderation-rules",
  title: "Moderation rules",
  noun: "moderation rule",
  about:
    "Rules look at every text that users write: what matches is queued, held back or refused. Texts of before stay as they are.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Looks for", cell: ({ row }) => ruleTypes.find(({ value }) => value === row.original.rule_type)?.name },
    { header: "Then", cell: ({ row }) => String(row.original.config["action"] ?? "flag") },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
  ],
  fields: [
    { name: "name", label: "Name", kind: line, required: true },
    { name: "rule_type", label: "Looks for", kind: choice(() => ruleTypes), required: true },
    { name: "config", label: "What exactly", kind: ruleConfig, required: true },
    { name: "is_active", label: "Active", kind: flag },
  ],
  blank: { rule_type: "keyword", config: { action: "flag" }, is_active: true },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/moderation/rules", { params: { path, query }, ...(signal ? { signal } : {}) }),
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/moderation/rules", { params: { path }, body })).data,
  change: async (path, ruleId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/moderation/rules/{ruleId}", {
        params: { path: { ...path, ruleId } },
        body,
      })
    ).data,
  remove: (path, ruleId) =>
    api.DELETE("/admin/projects/{projectId}/moderation/rules/{ruleId}", { params: { path: { ...path, ruleId } } }),
  removing: "Texts are no longer looked at by it. What it has queued stays in the queue.",
  Above: () => <TryRule ruleType="keyword" config={{}} />,
  Below: (props) => <TryRule ruleType={props.row.rule_type} config={props.row.config} />,
}

export default definitionPage(rules)
