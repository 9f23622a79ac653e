import { Tabs } from "@ark-ui/solid/tabs"
import { useSearchParams } from "@solidjs/router"
import { type Component, createEffect, For, Suspense } from "solid-js"
import { Dynamic } from "solid-js/web"
import { Failed } from "./failed.tsx"
import { Loading } from "./loaded.tsx"

/** A part of a page that is made when it is opened. */
export interface PageTab {
  readonly id: string
  readonly title: string
  readonly content: Component
}

/** The parts of a page, one at a time. Which one is in the address, as `tab`; what else is there goes when it changes. */
export const PageTabs = (props: { readonly label: string; readonly tabs: ReadonlyArray<PageTab> }) => {
  const [search, setSearch] = useSearchParams<{ tab?: string }>()
  const chosen = () => props.tabs.find(({ id }) => id === search.tab)?.id ?? props.tabs[0]?.id ?? ""
  let list: HTMLDivElement | undefined
  // On a narrow screen the row of titles scrolls.
  createEffect(() => {
    const at = props.tabs.findIndex(({ id }) => id === chosen())
    list?.children[at]?.scrollIntoView({ block: "nearest", inline: "nearest" })
  })
  const choose = (tab: string) => {
    const rest = Object.fromEntries(Object.keys(search).map((name) => [name, null]))
    setSearch({ ...rest, tab })
  }
  return (
    <Tabs.Root
      value={chosen()}
      onValueChange={({ value }) => choose(value)}
      activationMode="manual"
      lazyMount
      unmountOnExit
    >
      <Tabs.List ref={(element: HTMLDivElement) => (list = element)} class="tabs" aria-label={props.label}>
        <For each={props.tabs}>{({ id, title }) => <Tabs.Trigger value={id}>{title}</Tabs.Trigger>}</For>
      </Tabs.List>
      <For each={props.tabs}>
        {({ id, content }) => (
          <Tabs.Content value={id} class="page">
            <Failed>
              {/* The page stays while a part of it is loaded. */}
              <Suspense fallback={<Loading />}>
                <Dynamic component={content} />
              </Suspense>
            </Failed>
          </Tabs.Content>
        )}
      </For>
    </Tabs.Root>
  )
}
