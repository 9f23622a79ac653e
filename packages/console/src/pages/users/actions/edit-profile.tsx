import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { findChanges } from "../../../parts/find-changes.ts"
import { readText } from "../form.ts"
import { useUser } from "../use-user.ts"

/** Changes what developers may change of a profile; only what was changed is sent. */
export const EditProfile = (props: { readonly of: Schemas["AdminUser"] }) => {
  const user = useUser()
  const save = async (form: FormData) => {
    const typed = {
      display_name: readText(form, "display_name") ?? "",
      external_id: readText(form, "external_id"),
      avatar_url: readText(form, "avatar_url"),
      timezone: readText(form, "timezone"),
    }
    await api.PATCH("/admin/projects/{projectId}/users/{userId}", {
      params: { path: user.path() },
      body: findChanges(typed, props.of),
    })
    await user.refresh()
  }
  return (
    <Confirm
      action="Change the profile"
      says="Another time zone moves the deadlines of streaks; another external id looks up the webhooks that wait for it."
      done="The profile is changed."
      run={save}
    >
      <Field name="display_name" label="Name" required value={props.of.display_name} />
      <Field
        name="external_id"
        label="External id"
        hint="What your systems or the subscription provider call this user."
        value={props.of.external_id ?? ""}
      />
      <Field name="avatar_url" label="Picture" hint="Its address." value={props.of.avatar_url ?? ""} />
      <Field name="timezone" label="Time zone" hint="Such as Europe/Berlin." value={props.of.timezone ?? ""} />
    </Confirm>
  )
}
