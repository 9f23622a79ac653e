import { api } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field, TextField } from "../../../parts/field.tsx"
import { readText } from "../form.ts"
import { useUser } from "../use-user.ts"

/** The instant of a field with a local time; what is no time is left to the service to refuse. */
const readInstant = (form: FormData, name: string): string => {
  const text = readText(form, name)
  const at = text === null ? new Date() : new Date(text)
  return Number.isNaN(at.getTime()) ? (text ?? "") : at.toISOString()
}

/** Sends one push to the user's devices. */
export const Push = () => {
  const user = useUser()
  const schedule = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/users/{userId}/push-schedule", {
      params: { path: user.path() },
      body: {
        fire_at: readInstant(form, "fire_at"),
        title: readText(form, "title") ?? "",
        body: readText(form, "body") ?? "",
      },
    })
    await user.refresh()
  }
  return (
    <Confirm
      action="Schedule a push"
      says="The push goes to every active device of this user, at the time that you choose."
      done="The push is scheduled."
      run={schedule}
    >
      <Field name="title" label="Title" required />
      <TextField name="body" label="Text" required />
      <Field name="fire_at" label="At" type="datetime-local" hint="Now where empty." />
    </Confirm>
  )
}
