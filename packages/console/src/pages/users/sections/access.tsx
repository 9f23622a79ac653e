import { A } from "@solidjs/router"
import { createUniqueId, For, Show } from "solid-js"
import { api } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { sayTime } from "../../../parts/values/time.tsx"
import { readText } from "../form.ts"
import { Records } from "../records.tsx"
import { useUser } from "../use-user.ts"

/** The id of an entitlement, offered where the user has it: one that is mistyped would be another one. */
const EntitlementField = () => {
  const found = useUser().createUser()
  const list = createUniqueId()
  return (
    <>
      <Field name="entitlement_id" label="Entitlement" hint="Its id, such as premium." required list={list} />
      <datalist id={list}>
        <For each={found.data?.data.entitlements}>{({ entitlement_id }) => <option value={entitlement_id} />}</For>
      </datalist>
    </>
  )
}

/** What the user has access to, what providers sent about it, and giving and taking it by hand. */
const Access = () => {
  const user = useUser()
  const set = async (form: FormData, is_active: boolean) => {
    const until = readText(form, "expiration_date")
    await api.POST("/admin/projects/{projectId}/users/{userId}/entitlements", {
      params: { path: user.path() },
      body: {
        entitlement_id: readText(form, "entitlement_id") ?? "",
        is_active,
        ...(until === null ? {} : { expiration_date: new Date(until).toISOString() }),
      },
    })
    await user.refresh()
  }
  return (
    <>
      <Show when={user.project.mayWrite()}>
        <div class="row">
          <Confirm
            action="Grant"
            says="The user has access at once, and until the day that you choose. The next webhook of the provider about the same entitlement may change it again."
            done="The entitlement is granted."
            run={(form) => set(form, true)}
          >
            <EntitlementField />
            <Field name="expiration_date" label="Until" type="date" hint="For good where empty." />
          </Confirm>
          <Confirm
            action="Deny"
            danger
            says="The user has no access any more, whatever was paid for. The next webhook of the provider about the same entitlement may change it again."
            done="The entitlement is denied."
            run={(form) => set(form, false)}
          >
            <EntitlementField />
          </Confirm>
        </div>
      </Show>
      <Records
        section="user_entitlements"
        title="Entitlements"
        fields={["entitlement_id", "is_active", "expiration_date", "store", "product_id", "period_type", "updated_at"]}
        empty="The user has no entitlement."
      />
      <Records
        section="webhook_inbox"
        title="What the providers sent"
        fields={["received_at", "provider", "event_type", "status", "error"]}
        empty="No provider has sent anything about this user."
        link={(record) => (
          <A href={user.project.href(`webhooks/${String(record["id"])}`)}>
            In the inbox<span class="unseen">: {sayTime(String(record["received_at"]))}</span>
          </A>
        )}
      />
    </>
  )
}

export default Access
