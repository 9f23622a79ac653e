import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { PagesTable } from "../../../parts/tables/pages-table.tsx"
import { actionColumn, type Columns } from "../../../parts/tables/table.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { sayTime, Time } from "../../../parts/values/time.tsx"
import { sayWord } from "../../../parts/values/words.ts"
import { OnceKey, readOnceKey } from "../actions/once-key.tsx"
import { readNumber, readText } from "../form.ts"
import { Listed } from "../listed.tsx"
import { useUser } from "../use-user.ts"

type Balance = Schemas["Balance"]
type Transaction = Schemas["CurrencyTransaction"]

const reversible: ReadonlySet<Transaction["transaction_type"]> = new Set(["grant", "spend", "reward", "purchase"])

const Grant = (props: { readonly code: string }) => {
  const user = useUser()
  const give = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/currencies/grant", {
      params: { path: user.project.path(), header: readOnceKey(form) },
      body: {
        app_user_id: user.id(),
        currency_code: props.code,
        amount: readNumber(form, "amount") ?? 0,
        reason: readText(form, "reason"),
      },
    })
    await user.refresh()
  }
  return (
    <Confirm
      action="Give"
      of={props.code}
      says={`The user gets ${props.code} at once, up to the maximum of the currency.`}
      done="The amount is given."
      run={give}
    >
      <OnceKey />
      <Field name="amount" label="Amount" inputMode="decimal" required />
      <Field name="reason" label="Reason" hint="Kept with the entry." />
    </Confirm>
  )
}

const Reverse = (props: { readonly of: Transaction }) => {
  const user = useUser()
  const undo = async () => {
    await api.POST("/admin/projects/{projectId}/currencies/transactions/{transactionId}/reverse", {
      params: { path: { ...user.project.path(), transactionId: props.of.id } },
    })
    await user.refresh()
  }
  return (
    <Confirm
      action="Reverse"
      of={`${sayNumber(props.of.amount)} ${props.of.currency_code}, ${sayTime(props.of.created_at)}`}
      danger
      says={`The entry of ${sayNumber(props.of.amount)} ${props.of.currency_code} is undone by another one; the item of a purchase goes, too. It can be done once.`}
      done="The entry is undone."
      run={undo}
    />
  )
}

/** The balances, and the ledger behind them. */
const Wallets = () => {
  const user = useUser()
  const balances = createQuery(() => ({
    queryKey: user.key("balances"),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}/currencies", {
        params: { path: user.path(), query: { limit: 1000 } },
      }),
  }))
  const ledger = createPages<Transaction, CountedPage<Transaction>>(
    () => user.key("ledger"),
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/currencies/transactions/{userId}", {
        params: { path: user.path(), query: { limit: 50, cursor } },
        signal,
      }),
  )
  /** Where a later entry has undone it, it cannot be undone again: those are all shown above it. */
  const mayBeReversed = ({ id, transaction_type }: Transaction): boolean =>
    reversible.has(transaction_type) &&
    !ledger.rows().some((one) => one.transaction_type === "reversal" && one.reference_id === id)
  const balanceColumns = (): Columns<Balance> => [
    {
      id: "name",
      header: "Currency",
      cell: ({ row: { original } }) => (
        <>
          <bdi>{original.name}</bdi> ({original.code})
        </>
      ),
    },
    { id: "balance", header: "Balance", cell: ({ row: { original } }) => sayNumber(original.balance) },
    {
      id: "most",
      header: "At most",
      cell: ({ row: { original } }) => (original.max_balance === null ? "–" : sayNumber(original.max_balance)),
    },
    { id: "next", header: "Next recharge", cell: ({ row: { original } }) => <Time at={original.next_recharge_at} /> },
    ...actionColumn<Balance>(user.project.mayWrite(), ({ code }) => <Grant code={code} />),
  ]
  const ledgerColumns = (): Columns<Transaction> => [
    { id: "at", header: "When", cell: ({ row: { original } }) => <Time at={original.created_at} /> },
    {
      id: "amount",
      header: "Amount",
      cell: ({ row: { original } }) => `${sayNumber(original.amount)} ${original.currency_code}`,
    },
    { id: "after", header: "Balance after", cell: ({ row: { original } }) => sayNumber(original.balance_after) },
    { id: "type", header: "What", cell: ({ row: { original } }) => sayWord(original.transaction_type) },
    { id: "source", header: "By", cell: ({ row: { original } }) => sayWord(original.source) },
    { id: "reference", header: "Because of", cell: ({ row: { original } }) => original.reference_id ?? "–" },
    ...actionColumn<Transaction>(user.project.mayWrite(), (one) => (mayBeReversed(one) ? <Reverse of={one} /> : null)),
  ]
  return (
    <>
      <Listed title="Balances" of={balances} columns={balanceColumns()} empty="The project has no currency." />
      <section class="stored">
        <h2>Ledger</h2>
        <PagesTable label="Ledger" of={ledger} columns={ledgerColumns()} empty="Nothing has moved yet." />
      </section>
    </>
  )
}

export default Wallets
