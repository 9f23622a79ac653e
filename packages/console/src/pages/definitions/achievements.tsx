import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, line, lines, number } from "../../parts/editor/kinds.tsx"
import { rules } from "../../parts/rules/rules-kind.tsx"
import { sayMany, sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"
import { DryRun } from "./dry-run.tsx"

type Achievement = Schemas["Achievement"]

const Evaluate = (props: { readonly row: Achievement }) => {
  const project = useProject()
  const call = (dry_run: boolean) =>
    api.POST("/admin/projects/{projectId}/achievements/{achievementId}/evaluate", {
      params: { path: { ...project.path(), achievementId: props.row.id } },
      body: { dry_run },
    })
  const count = async () => {
    const { data } = await call(true)
    return "would_unlock" in data ? `${sayNumber(data.would_unlock)} more users would unlock it now.` : ""
  }
  return (
    <Show when={project.mayWrite()}>
      <section class="panel" aria-label="Users who fit it already">
        <h2>Users who fit it already</h2>
        <p>They unlock it with their next event, or all at once here.</p>
        <div class="row">
          <DryRun action="Count them" key={`${props.row.id}-evaluate`} run={count} />
          <Confirm
            action="Unlock it for all of them"
            says="It is unlocked in the background for everybody who fits the criteria now, with its XP. The app may celebrate each."
            done="The evaluation has begun."
            run={() => call(false)}
          />
        </div>
      </section>
    </Show>
  )
}

const achievements: Definition<Achievement, Schemas["NewAchievement"], Schemas["AchievementChanges"]> = {
  path: "achievements",
  title: "Achievements",
  noun: "achievement",
  about: "An achievement is unlocked once, as soon as its criteria are true of a user.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Key", cell: ({ row }) => <code>{row.original.key}</code> },
    { header: "XP", cell: ({ row }) => sayNumber(row.original.xp_reward) },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
    { header: "Hidden", cell: ({ row }) => (row.original.is_hidden ? "yes" : "no") },
  ],
  fields: [
    {
      name: "key",
      label: "Key",
      kind: line,
      required: true,
      isFixed: true,
      hint: "What the app knows it by. It stays.",
    },
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    {
      name: "criteria",
      label: "Criteria",
      kind: rules(
        "criteria",
        (count) => `${sayMany(count, "user")} would unlock it now`,
        async (path, criteria, signal) => {
          const { data } = await api.POST("/admin/projects/{projectId}/achievements/preview", {
            params: { path },
            body: { criteria },
            signal,
          })
          return { count: data.would_unlock, users: data.sample.map((id) => ({ id, name: null })) }
        },
      ),
    },
    { name: "xp_reward", label: "XP", kind: number, required: true },
    { name: "icon_url", label: "Address of the icon", kind: line },
    { name: "sort_order", label: "Place in the list", kind: number, required: true },
    { name: "is_hidden", label: "Hidden until it is unlocked", kind: flag },
    { name: "is_active", label: "Active", kind: flag },
  ],
  blank: {
    criteria: { operator: "AND", conditions: [{ event: "", op: "gte", count: 1 }] },
    xp_reward: 0,
    sort_order: 0,
    is_hidden: false,
    is_active: true,
  },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/achievements", { params: { path, query }, ...(signal ? { signal } : {}) }),
  read: async (path, achievementId, signal) =>
    (
      await api.GET("/admin/projects/{projectId}/achievements/{achievementId}", {
        params: { path: { ...path, achievementId } },
        ...(signal ? { signal } : {}),
      })
    ).data,
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/achievements", { params: { path }, body })).data,
  change: async (path, achievementId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/achievements/{achievementId}", {
        params: { path: { ...path, achievementId } },
        body,
      })
    ).data,
  remove: (path, achievementId) =>
    api.DELETE("/admin/projects/{projectId}/achievements/{achievementId}", {
      params: { path: { ...path, achievementId } },
    }),
  removing: "The achievement is taken from everybody who has it; the XP for it stays. That cannot be undone.",
  Below: Evaluate,
}

export default definitionPage(achievements)
