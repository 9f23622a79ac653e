import { A, type RouteSectionProps, useLocation } from "@solidjs/router"
import { createEffect, createSignal, For, lazy, onCleanup, onMount, Show, Suspense } from "solid-js"
import { api, isForbidden, isMissing, signOut } from "../api.ts"
import { projectPages } from "../pages/index.ts"
import { sections } from "../pages/project-page.ts"
import { Button } from "../parts/button.tsx"
import { createQuery } from "../parts/create-query.ts"
import { focusControl } from "../parts/dialogs/keep-focus.ts"
import { ErrorNote } from "../parts/error-note.tsx"
import { Failed } from "../parts/failed.tsx"
import { Loading } from "../parts/loaded.tsx"
import { NoProject } from "./not-found.tsx"
import { useProject } from "./project.tsx"
import { ProjectSwitch } from "./project-switch.tsx"
import { ThemeMenu } from "./theme-menu.tsx"

const Palette = lazy(() => import("./palette.tsx"))

/** The button of the search, which Ctrl-K and ⌘K open, too. */
const Search = () => {
  const [isOpen, setIsOpen] = createSignal(false)
  const [isLoaded, setIsLoaded] = createSignal(false)
  const open = () => {
    setIsLoaded(true)
    setIsOpen(true)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    open()
  }
  onMount(() => {
    addEventListener("keydown", onKey)
    onCleanup(() => removeEventListener("keydown", onKey))
  })
  return (
    <>
      <Button aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        Search <kbd class="only-wide">Ctrl K</kbd>
      </Button>
      <Show when={isLoaded()}>
        <Suspense>
          <Palette isOpen={isOpen()} leave={() => setIsOpen(false)} />
        </Suspense>
      </Show>
    </>
  )
}

const Menu = () => {
  const project = useProject()
  return (
    <For each={sections}>
      {(section) => (
        <Show when={projectPages.some((page) => page.section === section)}>
          <h2 class="menu-section">{section}</h2>
          <ul>
            <For each={projectPages.filter((page) => page.section === section)}>
              {({ path, title }) => (
                <li>
                  <A href={project.href(path)}>{title}</A>
                </li>
              )}
            </For>
          </ul>
        </Show>
      )}
    </For>
  )
}

/** The router would only scroll there. */
const skip = (event: MouseEvent) => {
  event.preventDefault()
  const page = document.getElementById("page")
  const place = page?.querySelector("h1") ?? page
  place?.focus()
}

/** What surrounds every page of a project: its name, the menu, and the way out. */
export const ProjectShell = (props: RouteSectionProps) => {
  const project = useProject()
  const location = useLocation()
  const [isOpen, setIsOpen] = createSignal(false)
  let opener: HTMLDivElement | undefined
  let menu: HTMLElement | undefined
  // Who opens the menu goes on with it, where they are in it.
  const turn = () => {
    if (setIsOpen(!isOpen())) focusControl(() => menu?.querySelector("a.active") ?? menu)
  }
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen()) return
    setIsOpen(false)
    opener?.querySelector("button")?.focus()
  }
  const found = createQuery(() => ({
    queryKey: ["project", project.id()],
    queryFn: () => api.GET("/admin/projects/{projectId}", { params: { path: project.path() } }),
  }))
  /** Every member may read it. */
  const isNone = () => isForbidden(found.error) || isMissing(found.error)
  // On a narrow screen the menu gives way to the page that was chosen.
  createEffect((before: string | undefined) => {
    if (before !== location.pathname) setIsOpen(false)
    return location.pathname
  })

  return (
    <div class="shell">
      <a class="skip" href="#page" on:click={skip}>
        To the page
      </a>
      <header class="top">
        <div class="only-narrow" ref={(element) => (opener = element)} on:keydown={onEscape}>
          <Button aria-expanded={isOpen()} aria-controls="menu" onClick={turn}>
            Menu
          </Button>
        </div>
        <A href="/" end class="name">
          Hearth
        </A>
        <ProjectSwitch name={found.data?.data.name ?? "…"} />
        <Show when={project.role()}>{(role) => <span class="tag">{role()}</span>}</Show>
        <span class="gap" />
        <Search />
        <ThemeMenu />
        <Button kind="link" onClick={() => void signOut()}>
          Sign out
        </Button>
      </header>
      <nav ref={menu} id="menu" aria-label="Project" classList={{ open: isOpen() }} on:keydown={onEscape}>
        <Menu />
      </nav>
      <main id="page" tabindex="-1">
        <Show when={!isNone()} fallback={<NoProject error={found.error} />}>
          <ErrorNote error={found.error} />
          <Failed>
            {/* Nobody is told that they may not do what they may. */}
            <Show when={project.isRoleKnown()} fallback={<Loading />}>
              {/* A page is loaded when it is opened. */}
              <Suspense fallback={<Loading />}>{props.children}</Suspense>
            </Show>
          </Failed>
        </Show>
      </main>
    </div>
  )
}
