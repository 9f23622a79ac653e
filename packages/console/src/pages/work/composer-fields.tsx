import { createUniqueId, Show } from "solid-js"
import { ChoiceField, Field, TextField } from "../../parts/field.tsx"
import type { Draft } from "./push-text.ts"

interface FieldsProps {
  readonly draft: Draft
  readonly set: (changes: Partial<Draft>) => void
  /** What the service has said about a field. */
  readonly fault: (path: string) => string | undefined
}

const placeholders = "{{display_name}} and {{properties.plan|free}} stand for what is known of each user."

/** What a push says. */
export const MessageFields = (props: FieldsProps) => (
  <>
    <Field
      label="Name"
      fault={props.fault("name")}
      hint="For you; users do not see it. The title where it is empty."
      maxlength={200}
      value={props.draft.name}
      onInput={(event) => props.set({ name: event.currentTarget.value })}
    />
    <Field
      label="Title"
      fault={props.fault("title")}
      required
      maxlength={200}
      hint={placeholders}
      value={props.draft.title}
      onInput={(event) => props.set({ title: event.currentTarget.value })}
    />
    <TextField
      label="Body"
      fault={props.fault("body")}
      required
      maxlength={2_000}
      value={props.draft.body}
      onInput={(event) => props.set({ body: event.currentTarget.value })}
    />
  </>
)

const times: ReadonlyArray<{ readonly value: Draft["when"]; readonly name: string }> = [
  { value: "draft", name: "When I send it" },
  { value: "absolute", name: "At a time" },
  { value: "local_time", name: "At a time of each user's own zone" },
]

/** When it is sent. What goes by users' own zones cannot be moved once it is made; the others can. */
export const WhenFields = (props: FieldsProps & { readonly isNew: boolean }) => (
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
        fault={props.fault("scheduled_at")}
        required
        type="datetime-local"
        value={props.draft.at}
        onInput={(event) => props.set({ at: event.currentTarget.value })}
      />
    </Show>
    <Show when={props.isNew && props.draft.when === "local_time"}>
      <Field
        label="Date"
        fault={props.fault("local_date")}
        required
        type="date"
        value={props.draft.localDate}
        onInput={(event) => props.set({ localDate: event.currentTarget.value })}
      />
      <Field
        label="Time of the day"
        fault={props.fault("local_time")}
        required
        type="time"
        value={props.draft.localTime}
        onInput={(event) => props.set({ localTime: event.currentTarget.value })}
      />
    </Show>
  </>
)

/** How a push looks and sounds, and what the app is given with it. */
export const OptionFields = (props: FieldsProps) => {
  const id = createUniqueId()
  return (
    <details id={id}>
      <summary>Data and options</summary>
      <div class="page options">
        <TextField
          label="Data"
          fault={props.fault("data")}
          hint='What the app is given, as JSON: {"screen": "lessons"}.'
          spellcheck={false}
          value={props.draft.data}
          onInput={(event) => props.set({ data: event.currentTarget.value })}
        />
        <Field
          label="Sound"
          fault={props.fault("options.sound")}
          value={props.draft.sound}
          onInput={(event) => props.set({ sound: event.currentTarget.value })}
        />
        <Field
          label="Badge"
          fault={props.fault("options.badge")}
          type="number"
          min={0}
          value={props.draft.badge}
          onInput={(event) => props.set({ badge: event.currentTarget.value })}
        />
        <Field
          label="Image"
          fault={props.fault("options.image_url")}
          type="url"
          hint="Its address."
          value={props.draft.imageUrl}
          onInput={(event) => props.set({ imageUrl: event.currentTarget.value })}
        />
        <Field
          label="Collapse id"
          fault={props.fault("options.collapse_id")}
          hint="A push with the same one takes the place of the one before."
          maxlength={64}
          value={props.draft.collapseId}
          onInput={(event) => props.set({ collapseId: event.currentTarget.value })}
        />
        <Field
          label="Seconds to live"
          fault={props.fault("options.ttl_seconds")}
          type="number"
          min={0}
          hint="For so long the provider tries to deliver it."
          value={props.draft.ttl}
          onInput={(event) => props.set({ ttl: event.currentTarget.value })}
        />
      </div>
    </details>
  )
}
