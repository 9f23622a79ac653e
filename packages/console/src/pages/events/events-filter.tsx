import { useSearchParams } from "@solidjs/router"
import { createEffect, createSignal, createUniqueId, For, on, Show } from "solid-js"
import { Button } from "../../parts/button.tsx"
import { Field } from "../../parts/field.tsx"

/** Which events are looked at, as the address says it. */
export const useEventFilter = () => {
  const [search, setSearch] = useSearchParams<{ event_name?: string; user_id?: string }>()
  return {
    name: () => search.event_name ?? "",
    user: () => search.user_id ?? "",
    /** As the API asks for it. */
    query: () => ({
      ...(search.event_name ? { event_name: search.event_name } : {}),
      ...(search.user_id ? { user_id: search.user_id } : {}),
    }),
    set: (name: string, user: string) => setSearch({ event_name: name || null, user_id: user || null }),
  }
}

/** Narrows the events to those of a name, or of a user. */
export const EventsFilter = (props: { readonly names: ReadonlyArray<string> }) => {
  const filter = useEventFilter()
  const list = createUniqueId()
  const [name, setName] = createSignal("")
  const [user, setUser] = createSignal("")
  // A link to other events of this page changes the address alone.
  createEffect(on(filter.name, setName))
  createEffect(on(filter.user, setUser))
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    filter.set(name().trim(), user().trim())
  }
  return (
    <form class="events-filter" onSubmit={apply}>
      <Field
        label="Name of the event"
        type="search"
        list={list}
        value={name()}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <datalist id={list}>
        <For each={props.names}>{(each) => <option value={each} />}</For>
      </datalist>
      <Field
        label="Id of the user"
        type="search"
        value={user()}
        onInput={(event) => setUser(event.currentTarget.value)}
      />
      <div class="row">
        <Button type="submit">Filter</Button>
        <Show when={filter.name() !== "" || filter.user() !== ""}>
          <Button kind="link" onClick={() => filter.set("", "")}>
            Show all
          </Button>
        </Show>
      </div>
    </form>
  )
}
