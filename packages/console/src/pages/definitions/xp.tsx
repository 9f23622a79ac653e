import { api, type Schemas } from "../../api.ts"
import { rowsKind } from "../../parts/editor/rows-kind.tsx"
import { Singleton } from "../../parts/editor/singleton.tsx"
import { Page } from "../../parts/page.tsx"

const ruleRows = rowsKind(
  [
    { name: "event_name", label: "Event" },
    { name: "amount", label: "XP", isNumber: true },
    { name: "daily_cap", label: "Most on a day (empty: no limit)", isNumber: true, isOptional: true },
  ],
  "rule",
)

const levelRows = rowsKind(
  [
    { name: "name", label: "Name" },
    { name: "xp_required", label: "XP that it asks for", isNumber: true },
  ],
  "level",
)

/** What events are worth, and the levels that XP lead to. */
const Xp = () => (
  <Page title="XP and levels">
    <Singleton<Schemas["XpRuleList"], Schemas["NewXpRules"]>
      sort="xp-rules"
      title="What events are worth"
      about="Events that are handled from now on follow what is saved here. What was given stays."
      fields={[{ name: "rules", label: "Rules", kind: ruleRows }]}
      read={async (path) => (await api.GET("/admin/projects/{projectId}/xp/rules", { params: { path } })).data}
      replace={async (path, body) =>
        (await api.PUT("/admin/projects/{projectId}/xp/rules", { params: { path }, body })).data
      }
    />
    <Singleton<Schemas["XpLevelList"], Schemas["NewXpLevels"]>
      sort="xp-levels"
      title="Levels"
      about="Each asks for more XP than the one before. A user is told once of every level."
      fields={[{ name: "levels", label: "Levels", kind: levelRows }]}
      read={async (path) => (await api.GET("/admin/projects/{projectId}/xp/levels", { params: { path } })).data}
      replace={async (path, body) =>
        (await api.PUT("/admin/projects/{projectId}/xp/levels", { params: { path }, body })).data
      }
    />
  </Page>
)

export default Xp
