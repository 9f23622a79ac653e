import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { line, number } from "../../parts/editor/kinds.tsx"
import { Singleton } from "../../parts/editor/singleton.tsx"
import { Page } from "../../parts/page.tsx"
import { useProject } from "../../shell/project.tsx"
import { DangerZone } from "./danger-zone.tsx"
import { limits, oneOnALine } from "./settings-kinds.tsx"

type Project = Schemas["Project"]
type Changes = Schemas["ProjectChanges"]

/** Features that are left out of a change stay as they are: those that were removed are named. */
const withRemoved = (changes: Changes, before: Project): Changes => {
  if (changes.limits === undefined) return changes
  const removed = Object.keys(before.limits).map((feature) => [feature, null])
  return { ...changes, limits: { ...Object.fromEntries(removed), ...changes.limits } }
}

/** What holds for the whole project, and its end. */
const Settings = () => {
  const client = useQueryClient()
  const project = useProject()
  return (
    <Page title="Settings">
      <Singleton<Project, Changes>
        sort="project-settings"
        title="What holds for the project"
        about="What is saved counts from the next call on, in other processes of the service within a second."
        fields={[
          { name: "name", label: "Name", kind: line, required: true },
          {
            name: "server_events",
            label: "Events of your servers alone",
            kind: oneOnALine,
            hint: "One name on each line. Apps may not write them: put whatever is worth cheating for here.",
          },
          {
            name: "client_backdate_hours",
            label: "How many hours late an event of an app may be",
            kind: number,
            required: true,
            hint: "1 to 8760. Older events of apps are refused.",
          },
          {
            name: "allowed_origins",
            label: "Allowed origins",
            kind: oneOnALine,
            hint: "One on each line, such as https://app.example. Magic links may lead to them.",
          },
          {
            name: "bundle_id",
            label: "Bundle id",
            kind: line,
            hint: "For sign-in with Apple (idp_a): whom its identity tokens are for. Empty: such tokens are refused.",
          },
          {
            name: "oauth_client_id",
            label: "OAuth client id",
            kind: line,
            hint: "For sign-in with Google (idp_b): whom its identity tokens are for. Empty: such tokens are refused.",
          },
          {
            name: "mau_cap",
            label: "Cap of monthly active users",
            kind: number,
            hint: "Above it, magic links make no new user. Empty: no cap.",
          },
          {
            name: "limits",
            label: "Limits of each user",
            kind: limits,
            hint: "How many calls that write a user may make, by feature: each is the word after /client/ in the address. What is empty is the limit of the service: 600 a minute and 20,000 a day.",
          },
        ]}
        read={async (path) => (await api.GET("/admin/projects/{projectId}", { params: { path } })).data}
        replace={async (path, _, changes, before) => {
          const body = withRemoved(changes, before)
          const { data } = await api.PATCH("/admin/projects/{projectId}", { params: { path }, body })
          await Promise.all(["project", "projects"].map((key) => client.invalidateQueries({ queryKey: [key] })))
          return data
        }}
      />
      <Show when={project.isOwner()}>
        <DangerZone />
      </Show>
    </Page>
  )
}

export default Settings
