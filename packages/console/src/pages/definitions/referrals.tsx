import { A } from "@solidjs/router"
import { createQuery } from "@tanstack/solid-query"
import { api, type Schemas } from "../../api.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, line, number } from "../../parts/editor/kinds.tsx"
import { reward } from "../../parts/editor/reward-kind.tsx"
import { Singleton } from "../../parts/editor/singleton.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { type Columns, Table } from "../../parts/table.tsx"
import { Time } from "../../parts/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Code = Schemas["ReferralCode"]

const readStats = (path: { readonly projectId: string }, codeId: string, limit: number, signal?: AbortSignal) =>
  api.GET("/admin/projects/{projectId}/referrals/{codeId}/stats", {
    params: { path: { ...path, codeId }, query: { limit, offset: 0 } },
    ...(signal ? { signal } : {}),
  })

const rewards = [
  {
    name: "reward_referrer",
    label: "Who has invited is given",
    kind: reward(false),
  },
  {
    name: "reward_referee",
    label: "Who was invited is given",
    kind: reward(false),
  },
] as const

const Program = () => (
  <details class="panel">
    <summary>The program: what the codes of users give</summary>
    <Singleton<Schemas["ReferralProgram"], Schemas["NewReferralProgram"]>
      sort="referral-program"
      title="Program"
      about="Every user has a code of their own. Those that are made from now on follow what is saved here."
      fields={[
        ...rewards,
        { name: "max_uses", label: "How often a code can be redeemed", kind: number, hint: "Empty: no limit." },
        {
          name: "max_account_age_hours",
          label: "Who redeems it must be newer than, in hours",
          kind: number,
          hint: "Empty: everybody may.",
        },
        { name: "require_account", label: "Only users with an account redeem codes", kind: flag },
      ]}
      read={async (path) => (await api.GET("/admin/projects/{projectId}/referrals/program", { params: { path } })).data}
      replace={async (path, body) =>
        (await api.PUT("/admin/projects/{projectId}/referrals/program", { params: { path }, body })).data
      }
    />
  </details>
)

// The newest are shown; their number is that of all.
const shown = 100

const Claims = (props: { readonly row: Code }) => {
  const project = useProject()
  const stats = createQuery(() => ({
    queryKey: ["referrals", project.id(), props.row.id, "stats"],
    queryFn: ({ signal }) => readStats(project.path(), props.row.id, shown, signal),
  }))
  const columns: Columns<Schemas["ReferralStats"]["claims"][number]> = [
    {
      header: "User",
      cell: ({ row }) => <A href={project.href(`users/${row.original.claimer_id}`)}>{row.original.claimer_id}</A>,
    },
    { header: "When", cell: ({ row }) => <Time at={row.original.claimed_at} /> },
  ]
  return (
    <section aria-label="Who has redeemed it">
      <h2>Who has redeemed it</h2>
      <Loaded of={stats}>
        {(found) => (
          <>
            <p>
              {found().data.total_claims.toLocaleString()} in all
              {found().data.total_claims > shown ? `, the newest ${shown} here` : ""}
            </p>
            <Table label="Claims" rows={found().data.claims} columns={columns} empty="Nobody has redeemed it yet." />
          </>
        )}
      </Loaded>
    </section>
  )
}

const Owner = (props: { readonly of: string | null }) => {
  const project = useProject()
  return <>{props.of === null ? "–" : <A href={project.href(`users/${props.of}`)}>a user</A>}</>
}

const referrals: Definition<Code, Schemas["NewReferralCode"], Schemas["ReferralCodeChanges"]> = {
  path: "referrals",
  title: "Referrals",
  noun: "code",
  about: "Codes that users invite others with, and codes for promotions, which nobody owns.",
  sayName: ({ code }) => code,
  columns: [
    { header: "Owner", cell: ({ row }) => <Owner of={row.original.app_user_id} /> },
    {
      header: "Redeemed",
      cell: ({ row }) =>
        row.original.max_uses === null
          ? row.original.total_claims
          : `${row.original.total_claims} of ${row.original.max_uses}`,
    },
    { header: "Active", cell: ({ row }) => (row.original.is_active ? "yes" : "no") },
    { header: "Made", cell: ({ row }) => <Time at={row.original.created_at} /> },
  ],
  fields: [
    { name: "code", label: "Code", kind: line, isFixed: true, hint: "Empty: one is made up." },
    ...rewards,
    { name: "max_uses", label: "How often it can be redeemed", kind: number, hint: "Empty: no limit." },
    { name: "is_active", label: "Active", kind: flag, isLater: true },
  ],
  blank: {},
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/referrals", { params: { path, query }, ...(signal ? { signal } : {}) }),
  // Users have codes, too: there can be too many to look through the list.
  read: async (path, codeId, signal) => (await readStats(path, codeId, 1, signal)).data.referral_code,
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/referrals", { params: { path }, body })).data,
  change: async (path, codeId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/referrals/{codeId}", {
        params: { path: { ...path, codeId } },
        body,
      })
    ).data,
  remove: (path, codeId) =>
    api.DELETE("/admin/projects/{projectId}/referrals/{codeId}", { params: { path: { ...path, codeId } } }),
  removing: "The code cannot be redeemed any more. Make it inactive instead where it should come back.",
  Above: Program,
  Below: Claims,
}

export default definitionPage(referrals)
