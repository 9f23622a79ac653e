import { Combobox, createListCollection } from "@ark-ui/solid/combobox"
import { useLocation, useNavigate } from "@solidjs/router"
import { keepPreviousData } from "@tanstack/solid-query"
import { createEffect, createMemo, createSignal, For, on, onCleanup, Show, untrack } from "solid-js"
import { api } from "../api.ts"
import { projectPages } from "../pages/index.ts"
import { createQuery } from "../parts/create-query.ts"
import { Modal } from "../parts/dialogs/modal.tsx"
import { ErrorNote } from "../parts/error-note.tsx"
import { findDefinitions, type PaletteItem } from "./palette-items.ts"
import { useProject } from "./project.tsx"

const mostOfAKind = 6
const waitMillis = 150

/** What was typed, once nothing more has been for a moment. */
const createSettled = (typed: () => string) => {
  const [settled, setSettled] = createSignal("")
  createEffect(
    on(typed, (text) => {
      const timer = setTimeout(() => setSettled(text.trim()), waitMillis)
      onCleanup(() => clearTimeout(timer))
    }),
  )
  return settled
}

const matches = (text: string, words: string): boolean => {
  const found = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word))
}

/** Pages that are called what was typed, or begin with it, come before those that have it somewhere. */
const sortPages = (pages: ReadonlyArray<PaletteItem>, words: string): ReadonlyArray<PaletteItem> => {
  const typed = words.toLowerCase()
  const distance = ({ label }: PaletteItem): number => {
    const name = label.toLowerCase()
    if (name === typed) return 0
    return name.startsWith(typed) ? 1 : 2
  }
  return pages.toSorted((one, other) => distance(one) - distance(other))
}

/** Everything that what was typed may mean: pages at once, users and definitions a moment later. */
const createItems = (typed: () => string) => {
  const project = useProject()
  const settled = createSettled(typed)
  const users = createQuery(() => ({
    queryKey: ["palette-users", project.id(), settled()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/users", {
        params: { path: project.path(), query: { search: settled(), limit: mostOfAKind } },
        signal,
      }),
    enabled: settled() !== "",
    placeholderData: keepPreviousData,
  }))
  const definitions = createQuery(() => ({
    queryKey: ["palette-definitions", project.id()],
    queryFn: () => findDefinitions(project.path()),
    staleTime: 60_000,
  }))
  const pages = projectPages.flatMap(
    ({ path, title, section }): ReadonlyArray<PaletteItem> =>
      title === undefined ? [] : [{ value: path, label: title, kind: section ?? "Page" }],
  )
  const items = createMemo(() => {
    const words = typed().trim()
    const people = (words === "" || !users.isSuccess ? [] : users.data.data).map(
      ({ id, email, display_name }): PaletteItem => ({
        value: `users/${id}`,
        label: display_name || email || id,
        kind: email && display_name ? `User · ${email}` : "User",
      }),
    )
    const named = (words === "" || !definitions.isSuccess ? [] : definitions.data).filter(({ label }) =>
      matches(label, words),
    )
    return [
      ...sortPages(
        pages.filter(({ label, kind }) => matches(`${label} ${kind}`, words)),
        words,
      ),
      ...people,
      ...named.slice(0, 3 * mostOfAKind),
    ]
  })
  return {
    items,
    /** Whether it is known by now what there is. */
    isRead: () => settled() === typed().trim() && !users.isFetching && !definitions.isFetching,
    /** Why users were not looked for: without that, nobody knows that there are none. */
    error: () => (settled() === "" ? null : users.error),
  }
}

const Search = (props: { readonly leave: () => void }) => {
  const project = useProject()
  const navigate = useNavigate()
  const [typed, setTyped] = createSignal("")
  const { items, isRead, error } = createItems(typed)
  const collection = createMemo(() =>
    createListCollection({ items: items(), itemToValue: ({ value }) => value, itemToString: ({ label }) => label }),
  )
  return (
    <Combobox.Root
      collection={collection()}
      open
      composite
      disableLayer
      inputBehavior="autohighlight"
      selectionBehavior="clear"
      inputValue={typed()}
      onInputValueChange={({ inputValue }) => setTyped(inputValue)}
      onValueChange={({ value: [path] }) => {
        if (path === undefined) return
        props.leave()
        navigate(project.href(path))
      }}
    >
      <Combobox.Label class="unseen">Search</Combobox.Label>
      <Combobox.Control>
        <Combobox.Input class="palette-input" placeholder="A page, a user's id, email or name, a segment …" />
      </Combobox.Control>
      <Combobox.Content class="palette-list">
        <For each={items()}>
          {(item) => (
            <Combobox.Item item={item} class="menu-item row">
              <Combobox.ItemText>{item.label}</Combobox.ItemText>
              <span class="quiet small">{item.kind}</span>
            </Combobox.Item>
          )}
        </For>
      </Combobox.Content>
      {/* A list of options has no room for a sentence. */}
      <div role="status">
        <Show when={items().length === 0 && isRead() && !error()}>
          <p class="quiet empty">Nothing is found.</p>
        </Show>
      </div>
      <ErrorNote error={error()} />
    </Combobox.Root>
  )
}

/** Leads to any page and to whatever has a name, by keyboard. */
const Palette = (props: { readonly isOpen: boolean; readonly leave: () => void }) => {
  const location = useLocation()
  let openedAt = ""
  createEffect(() => {
    if (props.isOpen) openedAt = untrack(() => location.pathname)
  })
  return (
    <Modal
      isOpen={props.isOpen}
      onClose={() => props.leave()}
      title="Search"
      isSearch
      // Who has gone to another page goes on with that.
      finalFocus={() => (location.pathname === openedAt ? null : document.querySelector("h1"))}
    >
      <Search leave={props.leave} />
    </Modal>
  )
}

export default Palette
