import { createSignal, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import type { Definition } from "../../parts/editor/definition.ts"
import { definitionPage } from "../../parts/editor/definition-page.tsx"
import { flag, line, lines, number } from "../../parts/editor/kinds.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { UserLink } from "../../parts/values/user-link.tsx"
import { useProject } from "../../shell/project.tsx"

type Mismatch = Schemas["CurrencyVerification"]["mismatches"][number]

const Verify = () => {
  const project = useProject()
  const [isAsked, setIsAsked] = createSignal(false)
  const proof = createQuery(() => ({
    queryKey: ["currencies", project.id(), "verify"],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/currencies/verify", { params: { path: project.path() }, signal }),
    enabled: isAsked(),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }))
  const columns: Columns<Mismatch> = [
    {
      header: "User",
      cell: ({ row }) => <UserLink id={row.original.app_user_id} />,
    },
    { header: "Currency", cell: ({ row }) => row.original.currency_code },
    { header: "Balance", cell: ({ row }) => sayNumber(row.original.balance) },
    { header: "Sum of transactions", cell: ({ row }) => row.original.sum },
  ]
  return (
    <section class="panel" aria-label="Is any money lost?">
      <div class="row">
        <span>Is every balance the sum of its transactions?</span>
        <Button
          busy={proof.isFetching}
          onClick={() => {
            if (isAsked()) void proof.refetch()
            setIsAsked(true)
          }}
        >
          Verify
        </Button>
      </div>
      <Show when={isAsked()}>
        <Loaded of={proof}>
          {(found) => (
            <div role="status">
              <p>
                {sayNumber(found().data.wallets)} balances and {sayNumber(found().data.transactions)} transactions were
                looked at: {found().data.mismatches.length === 0 ? "all agree." : "these differ."}
              </p>
              <Show when={found().data.mismatches.length > 0}>
                <Table label="Balances that differ" rows={found().data.mismatches} columns={columns} empty="" />
              </Show>
            </div>
          )}
        </Loaded>
      </Show>
    </section>
  )
}

const currencies: Definition<Schemas["Currency"], Schemas["NewCurrency"], Schemas["CurrencyChanges"]> = {
  path: "currencies",
  title: "Currencies",
  noun: "currency",
  about: "What users earn and spend. Every change of a balance is a transaction.",
  sayName: ({ name }) => name,
  columns: [
    { header: "Code", cell: ({ row }) => <code>{row.original.code}</code> },
    { header: "Begins with", cell: ({ row }) => sayNumber(row.original.initial_balance) },
    {
      header: "At most",
      cell: ({ row }) => (row.original.max_balance === null ? "no limit" : sayNumber(row.original.max_balance)),
    },
    {
      header: "Recharges",
      cell: ({ row }) =>
        row.original.auto_recharge_amount === null
          ? "no"
          : `${row.original.auto_recharge_amount} every ${row.original.auto_recharge_interval_hours} h`,
    },
    { header: "Premium", cell: ({ row }) => (row.original.is_premium ? "yes" : "no") },
  ],
  fields: [
    {
      name: "code",
      label: "Code",
      kind: line,
      required: true,
      isFixed: true,
      hint: "Capital letters, digits and _: COINS. It stays.",
    },
    { name: "name", label: "Name", kind: line, required: true },
    { name: "description", label: "Description", kind: lines },
    { name: "initial_balance", label: "New users have", kind: number, required: true },
    { name: "max_balance", label: "Most that a user can have", kind: number },
    { name: "auto_recharge_amount", label: "Comes back: how much", kind: number },
    { name: "auto_recharge_interval_hours", label: "Comes back: every so many hours", kind: number },
    { name: "is_premium", label: "Bought with money", kind: flag },
  ],
  blank: { initial_balance: 0, is_premium: false },
  list: (path, query, signal) =>
    api.GET("/admin/projects/{projectId}/currencies", { params: { path, query }, ...(signal ? { signal } : {}) }),
  create: async (path, body) =>
    (await api.POST("/admin/projects/{projectId}/currencies", { params: { path }, body })).data,
  change: async (path, currencyId, body) =>
    (
      await api.PATCH("/admin/projects/{projectId}/currencies/{currencyId}", {
        params: { path: { ...path, currencyId } },
        body,
      })
    ).data,
  remove: (path, currencyId) =>
    api.DELETE("/admin/projects/{projectId}/currencies/{currencyId}", { params: { path: { ...path, currencyId } } }),
  removing:
    "The currency is removed with all balances in it and the prices in it. The transactions stay. That cannot be undone.",
  Above: Verify,
}

export default definitionPage(currencies)
