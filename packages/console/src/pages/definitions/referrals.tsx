import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, line, number } from "../../parts/editor/kinds.tsx"
import { reward } from "../../parts/editor/reward-kind.tsx"
import { Singleton } from "../../parts/editor/singleton.tsx"
import { type CountedPage, createPages } from "../../parts/tables/load-more.ts"
import { PagesTable } from "../../parts/tables/pages-table.tsx"
import type { Columns } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"

type Code = Schemas["ReferralCode"]

const readStats = (
  path: { readonly projectId: string },
  codeId: string,
  query: { readonly limit: number; readonly cursor?: string },
  signal?: AbortSignal,
) =>
  api.GET("/admin/projects/{projectId}/referrals/{codeId}/stats", {
    params: { path: { ...path, codeId }, query },
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

type Claim = Schemas["ReferralStats"]["claims"][number]

const Claims = (props: { readonly row: Code }) => {
  const project = useProject()
  const pages = createPages<Claim, CountedPage<Claim>>(
    () => ["referrals", project.id(), props.row.id, "stats"],
    async (cursor = "start", signal) => {
      const { claims, total_claims, next_cursor } = (
        await readStats(project.path(), props.row.id, { limit: 100, cursor }, signal)
      ).data
      return { data: claims, total: total_claims, next_cursor: next_cursor ?? null }
    },
  )
  const columns: Columns<Claim> = [
    {
      header: "User",
      cell: ({ row }) => <UserLink id={row.original.claimer_id} />,
    },
    { header: "When", cell: ({ row }) => <Time at={row.original.claimed_at} /> },
  ]
  return (
    <section aria-label="Who has redeemed it">
      <h2>Who has redeemed it</h2>
      <Show when={pages.first()}>{(page) => <p>{sayNumber(page().total)} in all</p>}</Show>
      <PagesTable label="Claims" of={pages} columns={columns} empty="Nobody has redeemed it yet." />
    </section>
  )
}

const referrals: Definition<Code, Schemas["NewReferralCode"], Schemas["ReferralCodeChanges"]> = {
  path: "referrals",
  title: "Referrals",
  noun: "code",
  about: "Codes that users invite others with, and codes for promotions, which nobody owns.",
  sayName: ({ code }) => code,
  columns: [
    {
      header: "Owner",
      cell: ({ row: { original } }) => (
        <Show when={original.app_user_id} fallback="–">
          {(id) => <UserLink id={id()} />}
        </Show>
      ),
    },
    {
      header: "Redeemed",
      cell: ({ row }) =>
        row.original.max_uses === null
          ? row.original.total_claims
          : `${sayNumber(row.original.total_claims)} of ${sayNumber(row.original.max_uses)}`,
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
  isLong: true,
  read: async (path, codeId, signal) => (await readStats(path, codeId, { limit: 1 }, signal)).data.referral_code,
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
