import { For, type JSX, Show } from "solid-js"
import { api } from "../../api.ts"
import { createPages } from "../../parts/tables/load-more.ts"
import { PagesTable } from "../../parts/tables/pages-table.tsx"
import type { Columns } from "../../parts/tables/table.tsx"
import { JsonView } from "../../parts/values/json-view.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { Time } from "../../parts/values/time.tsx"
import { sayWord } from "../../parts/values/words.ts"
import { useUser } from "./use-user.ts"

/** A record as it is stored. */
export type Stored = Readonly<Record<string, unknown>>

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)

/** A value of a stored record: instants as times, numbers in groups, objects as JSON, nothing as a dash. */
export const Value = (props: { readonly of: unknown }): JSX.Element => {
  const { of } = props
  if (of === null || of === undefined || of === "") return <span class="quiet">–</span>
  if (isInstant(of)) return <Time at={of} />
  if (typeof of === "boolean") return of ? "yes" : "no"
  if (typeof of === "number") return sayNumber(of)
  if (typeof of === "object") return <code>{JSON.stringify(of)}</code>
  return String(of)
}

// Fields whose values are the service's own keys.
const enums: ReadonlySet<string> = new Set([
  ...[
    "status",
    "provider",
    "platform",
    "role",
    "type",
    "content_type",
    "moderation",
    "period_type",
    "deactivated_reason",
  ],
])

const worded = (name: string): string => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase())

const readField = (record: Stored, field: string): unknown => {
  const value = record[field]
  return enums.has(field) && typeof value === "string" ? sayWord(value) : value
}

/** A column: a field as it is stored, or with a heading and a look of its own. */
type RecordColumn = string | { readonly header: string; readonly cell: (record: Stored) => JSX.Element }

interface RecordsProps {
  /** The section of the user's export. */
  readonly section: string
  readonly title: string
  /** The fields that are shown as columns; the others are in the record. */
  readonly fields: ReadonlyArray<RecordColumn>
  readonly empty: string
  /** Leads to where a record is looked after. */
  readonly link?: (record: Stored) => JSX.Element
}

/** What is stored about the user in one section, the last first, page by page. */
export const Records = (props: RecordsProps) => {
  const user = useUser()
  const pages = createPages<Stored>(
    () => user.key("records", props.section),
    (cursor, signal) =>
      api.GET("/admin/projects/{projectId}/users/{userId}/records/{section}", {
        params: {
          path: { ...user.path(), section: props.section },
          query: { limit: 25, ...(cursor === undefined ? {} : { cursor }) },
        },
        signal,
      }),
  )
  const columns = (): Columns<Stored> => [
    ...props.fields.map((field): Columns<Stored>[number] =>
      typeof field === "string"
        ? { id: field, header: worded(field), cell: ({ row }) => <Value of={readField(row.original, field)} /> }
        : { id: field.header, header: field.header, cell: ({ row }) => field.cell(row.original) },
    ),
    {
      id: "whole",
      header: "Record",
      cell: ({ row }) => (
        <Show when={props.link} fallback={<Whole of={row.original} name={`${props.title}, ${row.index + 1}`} />}>
          {(link) => link()(row.original)}
        </Show>
      ),
    },
  ]
  return (
    <section class="stored">
      <h2>{props.title}</h2>
      <PagesTable label={props.title} of={pages} columns={columns()} empty={props.empty} />
    </section>
  )
}

/** A record behind a disclosure. */
const Whole = (props: { readonly of: Stored; readonly name: string }) => (
  <details>
    <summary>
      All fields<span class="unseen">: {props.name}</span>
    </summary>
    <JsonView value={props.of} label={`All fields: ${props.name}`} />
  </details>
)

/** Several sections, one under the other. */
export const RecordsList = (props: { readonly of: ReadonlyArray<RecordsProps> }) => (
  <For each={props.of}>{(each) => <Records {...each} />}</For>
)
