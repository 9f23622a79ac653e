import { HearthError } from "@hearth/client"
import { createSignal, For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { sayMany } from "../../../parts/values/say-number.ts"
import { useProject } from "../../../shell/project.tsx"
import { type Fault, type ReadItems, readItems } from "./read-items.ts"

// As many as anybody reads.
const mostShown = 20

const isIssue = (value: unknown): value is { readonly path: string; readonly message: string } =>
  typeof value === "object" && value !== null && "path" in value && "message" in value

/** What the service says is wrong, by the places in the file. */
const findFaults = (error: unknown, places: ReadItems["places"]): ReadonlyArray<Fault> => {
  const details = error instanceof HearthError ? (error.details as { readonly issues?: unknown } | null) : null
  const issues = Array.isArray(details?.issues) ? details.issues.filter(isIssue) : []
  return issues.map(({ path, message }) => {
    const [, at, field = ""] = /^items\.(\d+)\.?(.*)$/.exec(path) ?? []
    return { place: places[Number(at)] ?? path, message: `${field} ${message}`.trim() }
  })
}

const Faults = (props: { readonly faults: ReadonlyArray<Fault> }) => (
  <Show when={props.faults.length > 0}>
    {/* A region that scrolls must be reachable by keyboard. */}
    <section class="faults" tabindex="0" aria-label="What is wrong">
      <ul>
        <For each={props.faults.slice(0, mostShown)}>
          {({ place, message }) => (
            <li>
              <b>{place}</b> {message}
            </li>
          )}
        </For>
      </ul>
      <Show when={props.faults.length > mostShown}>
        <p>and {props.faults.length - mostShown} more</p>
      </Show>
    </section>
  </Show>
)

/** Items of a file, all of them or none; what is wrong is shown by line. */
export const ImportItems = (props: { readonly libraryId: string; readonly onDone: () => Promise<unknown> }) => {
  const project = useProject()
  const [found, setFound] = createSignal<ReadItems | null>(null)
  const [refused, setRefused] = createSignal<ReadonlyArray<Fault>>([])

  const look = async (file: File | undefined) => {
    setRefused([])
    setFound(file === undefined ? null : readItems(file.name, await file.text()))
  }
  const run = async () => {
    const { items, places, faults } = found() ?? { items: [], places: [], faults: [] }
    setRefused([])
    if (faults.length > 0) throw new Error("The file cannot be read: nothing was sent.")
    try {
      await api.POST("/admin/projects/{projectId}/content/libraries/{libraryId}/bulk", {
        params: { path: { ...project.path(), libraryId: props.libraryId } },
        // What is in them is the service's to judge.
        body: { items: items as unknown as Schemas["ContentImport"]["items"] },
      })
    } catch (error) {
      setRefused(findFaults(error, places))
      throw error
    }
    setFound(null)
    await props.onDone()
  }

  return (
    <Confirm
      action="Import"
      says="All items of the file come at the end of the library, 5,000 at most, or none of them. Users see them at once."
      done="The items are there."
      run={run}
    >
      <Field
        type="file"
        accept=".json,.csv"
        label="File"
        hint="JSON: a list of items. CSV: the first line names the columns: title, body, category, tags, media_url, metadata, is_premium."
        required
        onChange={(event) => void look(event.currentTarget.files?.[0])}
      />
      <Show when={found()}>
        {(read) => <p role="status">{sayMany(read().places.length, "item is", "items are")} in the file.</p>}
      </Show>
      <Faults faults={[...(found()?.faults ?? []), ...refused()]} />
    </Confirm>
  )
}
