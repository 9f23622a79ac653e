import type { Schemas } from "../../../api.ts"
import { Field, FlagField, TextField } from "../../../parts/field.tsx"
import { findChanges } from "../../../parts/find-changes.ts"
import { readJson } from "../../../parts/read-json.ts"

type Item = Schemas["ContentItem"]

const readText = (form: FormData, name: string) => String(form.get(name) ?? "").trim() || null

/** What was typed of an item. */
export const readItem = (form: FormData) => ({
  title: readText(form, "title"),
  body: String(form.get("body") ?? ""),
  media_url: readText(form, "media_url"),
  category: readText(form, "category"),
  tags: String(form.get("tags") ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ""),
  metadata: readJson("Metadata", String(form.get("metadata") ?? "")) ?? {},
  is_premium: form.get("is_premium") !== null,
})

/** What was changed of an item. */
export const readItemChanges = (item: Item, form: FormData) =>
  findChanges(
    { ...readItem(form), sort_order: Number(form.get("sort_order")), is_active: form.get("is_active") !== null },
    item,
  )

/** The fields of an item. */
export const ItemFields = (props: { readonly item?: Item }) => (
  <>
    <Field name="title" label="Title" value={props.item?.title ?? ""} />
    <TextField name="body" label="Text" value={props.item?.body ?? ""} required />
    <Field name="category" label="Category" value={props.item?.category ?? ""} />
    <Field name="tags" label="Tags" hint="With commas between them." value={props.item?.tags.join(", ") ?? ""} />
    <Field name="media_url" label="Address of a picture or sound" value={props.item?.media_url ?? ""} />
    <TextField
      name="metadata"
      label="Metadata"
      hint="A JSON object."
      value={props.item === undefined ? "" : JSON.stringify(props.item.metadata, null, 2)}
    />
    <FlagField name="is_premium" label="Only for those who have paid" checked={props.item?.is_premium === true} />
  </>
)
