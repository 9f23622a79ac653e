import type { Schemas } from "../../../api.ts"
import { Field, TextField } from "../../../parts/field.tsx"
import { readJson } from "../../../parts/read-json.ts"

type Target = Required<Schemas["TrackedLinkChanges"]>

/** Where a link leads to, and what the app is given. */
export const LinkFields = (props: { readonly link?: Target }) => (
  <>
    <Field
      name="destination_url"
      label="Leads to"
      hint="An http(s) address, or one of the app's own scheme."
      required
      value={props.link?.destination_url ?? ""}
    />
    <TextField
      name="metadata"
      label="Metadata"
      hint="A JSON object, for the app that the link opens."
      spellcheck={false}
      value={Object.keys(props.link?.metadata ?? {}).length === 0 ? "" : JSON.stringify(props.link?.metadata, null, 2)}
    />
  </>
)

/** What was typed into them. */
export const readLink = (form: FormData) => ({
  destination_url: String(form.get("destination_url") ?? "").trim(),
  metadata: readJson("Metadata", String(form.get("metadata") ?? "")) ?? {},
})
