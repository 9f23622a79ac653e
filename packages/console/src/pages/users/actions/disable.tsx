import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { useUser } from "../use-user.ts"

/** Signs the user out for as long as somebody says so, and lets them in again. */
export const Disable = (props: { readonly of: Schemas["AdminUser"] }) => {
  const user = useUser()
  const change = async (is_disabled: boolean) => {
    await api.PATCH("/admin/projects/{projectId}/users/{userId}", {
      params: { path: user.path() },
      body: { is_disabled },
    })
    await user.refresh()
  }
  return (
    <Show
      when={props.of.is_disabled}
      fallback={
        <Confirm
          action="Disable"
          danger
          says="All sessions of this user end at once, on every device, and nobody can sign in as them until they are enabled again. What they have stays."
          done="The user is disabled."
          run={() => change(true)}
        />
      }
    >
      <Confirm
        action="Enable"
        says="The user can sign in again. The sessions that were ended stay so."
        done="The user is enabled."
        run={() => change(false)}
      />
    </Show>
  )
}
