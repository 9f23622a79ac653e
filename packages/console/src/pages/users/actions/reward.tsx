import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { readNumber, readText } from "../form.ts"
import { useUser } from "../use-user.ts"
import { OnceKey, readOnceKey } from "./once-key.tsx"

/** The parts of a reward that are filled in. What they may be is the service's to say. */
const readReward = (form: FormData): Schemas["Reward"] => {
  const [xp, code, item, entitlement] = [
    readNumber(form, "xp"),
    readText(form, "currency"),
    readText(form, "item"),
    readText(form, "entitlement"),
  ]
  return {
    ...(xp === null ? {} : { xp }),
    ...(code === null ? {} : { currencies: { [code]: readNumber(form, "amount") ?? 0 } }),
    ...(item === null ? {} : { items: [{ key: item, quantity: readNumber(form, "quantity") ?? 1 }] }),
    ...(entitlement === null
      ? {}
      : { entitlements: [{ entitlement_id: entitlement, days: readNumber(form, "days") }] }),
  }
}

/** Makes good: XP, a currency, items, an entitlement, in one act. */
export const Reward = () => {
  const user = useUser()
  const give = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/users/{userId}/rewards", {
      params: { path: user.path(), header: readOnceKey(form) },
      body: { reward: readReward(form), reason: readText(form, "reason") },
    })
    await user.refresh()
  }
  return (
    <Confirm
      action="Give a reward"
      says="What is filled in is given at once, all of it or nothing. It is in the ledgers afterwards."
      done="The reward is given."
      run={give}
    >
      <OnceKey />
      <Field name="xp" label="XP" inputMode="numeric" />
      <div class="pair">
        <Field name="currency" label="Currency" hint="Its code, such as COINS." />
        <Field name="amount" label="Amount" inputMode="decimal" />
      </div>
      <div class="pair">
        <Field name="item" label="Item" hint="Its key in the catalog." />
        <Field name="quantity" label="Quantity" inputMode="numeric" />
      </div>
      <div class="pair">
        <Field name="entitlement" label="Entitlement" hint="Its id, such as premium." />
        <Field name="days" label="Days" inputMode="numeric" hint="For good where empty." />
      </div>
      <Field name="reason" label="Reason" hint="Kept with the entries." />
    </Confirm>
  )
}
