import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import type { Columns } from "../../../parts/tables/table.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { Listed } from "../listed.tsx"
import { RecordsList } from "../records.tsx"
import { useUser } from "../use-user.ts"

const columns: Columns<Schemas["InventoryItem"]> = [
  { header: "Item", cell: ({ row: { original } }) => `${original.name} (${original.key})` },
  { header: "Type", cell: ({ row: { original } }) => original.item_type ?? "–" },
  { header: "Quantity", cell: ({ row: { original } }) => sayNumber(original.quantity) },
  { header: "Acquired", cell: ({ row: { original } }) => <Time at={original.acquired_at} /> },
]

/** What the user owns and has bought. */
const Items = () => {
  const user = useUser()
  const inventory = createQuery(() => ({
    queryKey: user.key("inventory"),
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/users/{userId}/inventory", {
        params: { path: user.path(), query: { limit: 1_000 } },
      }),
  }))
  return (
    <>
      <Listed title="Inventory" of={inventory} columns={columns} empty="The user owns nothing." />
      <RecordsList
        of={[
          {
            section: "purchases",
            title: "Purchases",
            fields: ["created_at", "key", "price", "currency_code", "reversed_at"],
            empty: "The user has bought nothing.",
          },
          {
            section: "referral_claims",
            title: "Referrals",
            fields: ["claimed_at", "code", "reward"],
            empty: "No referral concerns this user.",
          },
        ]}
      />
    </>
  )
}

export default Items
