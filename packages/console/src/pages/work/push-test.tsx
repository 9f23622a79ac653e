import { HearthError } from "@hearth/client"
import { createSignal, Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { ErrorNote } from "../../parts/error-note.tsx"
import { ChoiceField, Field } from "../../parts/field.tsx"
import { JsonView } from "../../parts/values/json-view.tsx"
import { sayWord } from "../../parts/values/words.ts"
import { useProject } from "../../shell/project.tsx"

type Target = "user" | "push_a" | "push_b"

const targets: ReadonlyArray<{ readonly value: Target; readonly name: string }> = [
  { value: "user", name: "A user's latest device" },
  { value: "push_a", name: "A device of APNs (iOS)" },
  { value: "push_b", name: "A device of FCM (Android, web)" },
]

/** Sends a message to one user, or to a device of `provider`, and shows what the provider has answered. */
export const PushTest = (props: {
  readonly message: () => Pick<Schemas["PushTest"], "title" | "body" | "data" | "options">
  /** Left out, a user or a device of any provider can be chosen. */
  readonly provider?: Exclude<Target, "user">
}) => {
  const project = useProject()
  const [chosen, setTarget] = createSignal<Target>("user")
  const target = () => props.provider ?? chosen()
  const [id, setId] = createSignal("")
  const [answer, setAnswer] = createSignal<Schemas["PushTested"] | null>(null)
  const [error, setError] = createSignal<unknown>(null)
  const [isBusy, setIsBusy] = createSignal(false)

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setError(null)
    setAnswer(null)
    try {
      const to = target()
      const body = {
        ...props.message(),
        ...(to === "user" ? { app_user_id: id() } : { device_token: id(), provider: to }),
      }
      const sent = await api.POST("/admin/projects/{projectId}/push/campaigns/test", {
        params: { path: project.path() },
        body,
      })
      setAnswer(sent.data)
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }
  const details = () => {
    const problem = error()
    return problem instanceof HearthError ? problem.details : null
  }

  return (
    <section class="panel page" aria-label="Test push">
      <h2>Test push</h2>
      <form onSubmit={send}>
        <Show when={props.provider === undefined}>
          <ChoiceField
            label="To"
            required
            choices={targets}
            value={target()}
            onChange={({ currentTarget: { value } }) =>
              setTarget(targets.find((one) => one.value === value)?.value ?? "user")
            }
          />
        </Show>
        <Field
          label={target() === "user" ? "User id" : "Device token"}
          required
          hint={
            props.provider &&
            "Without one at hand type anything: a refusal of the device alone says that the settings do."
          }
          value={id()}
          onInput={(event) => setId(event.currentTarget.value.trim())}
        />
        <p class="quiet small">It is sent at once, to this device alone, and belongs to no campaign.</p>
        <Button type="submit" busy={isBusy()}>
          Send test
        </Button>
      </form>
      <ErrorNote error={error()} />
      <Show when={details()}>{(found) => <JsonView value={found()} label="What the provider has answered" />}</Show>
      <p role="status">
        <Show when={answer()}>
          {(found) => (
            <>
              {sayWord(found().provider)} has taken it
              <Show when={found().provider_message_id}>
                {(message) => (
                  <>
                    {" as "}
                    <code>{message()}</code>
                  </>
                )}
              </Show>
              .
              <Show when={found().provider_message_id?.startsWith("development-")}>
                {
                  " That is the service itself, on this machine: the project has no active credentials of this provider."
                }
              </Show>
            </>
          )}
        </Show>
      </p>
    </section>
  )
}
