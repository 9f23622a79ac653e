import { createUniqueId, Show } from "solid-js"
import { dateInput } from "../../parts/date-input.ts"
import { ChoiceField, Field, TextField } from "../../parts/field.tsx"
import type { Draft } from "./push-text.ts"

interface FieldsProps {
  readonly draft: Draft
  readonly set: (changes: Partial<Draft>) => void
  /** What the service has said about a field. */
  readonly fault: (path: string) => string | undefined
}

/** What a field of the draft shows, and where it puts what is typed. `path` is what the service calls it. */
const bindTo =
  (props: FieldsProps) =>
  (name: Exclude<keyof Draft, "when">, path: string = name) => ({
    get value() {
      return props.draft[name]
    },
    get fault() {
      return props.fault(path)
    },
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      props.set({ [name]: event.currentTarget.value }),
  })

const placeholders = "{{display_name}} and {{properties.plan|free}} stand for what is known of each user."

/** What a push says. */
export const MessageFields = (props: FieldsProps) => {
  const bind = bindTo(props)
  return (
    <>
      <Field
        label="Name"
        hint="For you; users do not see it. The title where it is empty."
        maxlength={200}
        {...bind("name")}
      />
      <Field label="Title" required maxlength={200} hint={placeholders} {...bind("title")} />
      <TextField label="Body" required maxlength={2_000} {...bind("body")} />
    </>
  )
}

const times: ReadonlyArray<{ readonly value: Draft["when"]; readonly name: string }> = [
  { value: "draft", name: "When I send it" },
  { value: "absolute", name: "At a time" },
  { value: "local_time", name: "At a time of each user's own zone" },
]

/** When it is sent. What goes by users' own zones cannot be moved once it is made; the others can. */
export const WhenFields = (props: FieldsProps & { readonly isNew: boolean }) => {
  return (
    <>
      <Show
        when={props.isNew || props.draft.when !== "local_time"}
        fallback={
          <p class="quiet">
            It is sent on {props.draft.localDate} at {props.draft.localTime} of each user's own zone. That cannot be
            changed any more.
          </p>
        }
      >
        <ChoiceField
          label="When"
          required
          choices={times.filter(({ value }) => props.isNew || value !== "local_time")}
          value={props.draft.when}
          onChange={({ currentTarget: { value } }) =>
            props.set({ when: times.find((one) => one.value === value)?.value ?? "draft" })
          }
        />
      </Show>
      <Show when={props.draft.when === "absolute"}>
        <Field
          label="Time"
          required
          type="datetime-local"
          fault={props.fault("scheduled_at")}
          {...dateInput(
            () => props.draft.at,
            (at) => props.set({ at }),
          )}
        />
      </Show>
      <Show when={props.isNew && props.draft.when === "local_time"}>
        <Field
          label="Date"
          required
          type="date"
          fault={props.fault("local_date")}
          {...dateInput(
            () => props.draft.localDate,
            (localDate) => props.set({ localDate }),
          )}
        />
        <Field
          label="Time of the day"
          required
          type="time"
          fault={props.fault("local_time")}
          {...dateInput(
            () => props.draft.localTime,
            (localTime) => props.set({ localTime }),
          )}
        />
      </Show>
    </>
  )
}

/** How a push looks and sounds, and what the app is given with it. */
export const OptionFields = (props: FieldsProps) => {
  const id = createUniqueId()
  const bind = bindTo(props)
  return (
    <details id={id}>
      <summary>Data and options</summary>
      <div class="page options">
        <TextField
          label="Data"
          hint='What the app is given, as JSON: {"screen": "lessons"}.'
          spellcheck={false}
          {...bind("data")}
        />
        <Field label="Sound" {...bind("sound", "options.sound")} />
        <Field label="Badge" type="number" min={0} {...bind("badge", "options.badge")} />
        <Field label="Image" type="url" hint="Its address." {...bind("imageUrl", "options.image_url")} />
        <Field
          label="Collapse id"
          hint="A push with the same one takes the place of the one before."
          maxlength={64}
          {...bind("collapseId", "options.collapse_id")}
        />
        <Field
          label="Seconds to live"
          type="number"
          min={0}
          hint="For so long the provider tries to deliver it."
          {...bind("ttl", "options.ttl_seconds")}
        />
      </div>
    </details>
  )
}
