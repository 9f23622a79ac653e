import "../content.css"
import { A, useSearchParams } from "@solidjs/router"
import { createMemo, For, indexArray, Show } from "solid-js"
import { api, isMissing, type Schemas } from "../../../api.ts"
import { Loaded } from "../../../parts/loaded.tsx"
import { Page } from "../../../parts/page.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { More } from "../../../parts/tables/more.tsx"
import { useProject } from "../../../shell/project.tsx"
import { AssetCard } from "./asset-card.tsx"
import { createFolders, Folders } from "./folders.tsx"
import { Uploads } from "./upload-list.tsx"

type Asset = Schemas["MediaAsset"]

/** The folders from the top to the one that is open, by id: the address has them all, so that the way up is known. */
const useFolder = () => {
  const [search] = useSearchParams<{ in?: string }>()
  const trail = () => (search.in ?? "").split(".").filter((id) => id !== "")
  return { trail, current: () => trail().at(-1) ?? null }
}

const makeHref = (trail: ReadonlyArray<string>) => (trail.length === 0 ? "?" : `?in=${trail.join(".")}`)

/** The files of the project by folders, and new ones. */
const Media = () => {
  const project = useProject()
  const { trail, current } = useFolder()
  // Each level knows the names of those below it.
  const levels = createMemo(indexArray(trail, (_, at) => createFolders(project.id, () => trail()[at - 1] ?? null)))
  const sayName = (id: string, at: number) => levels()[at]?.data?.data.find((folder) => folder.id === id)?.name ?? "…"
  const files = createPages<Asset, CountedPage<Asset>>(
    () => ["media", project.id(), current()],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/media", {
        params: {
          path: project.path(),
          query: { limit: 50, cursor, ...(current() === null ? {} : { folder_id: current() ?? "" }) },
        },
        signal,
      }),
    true,
  )
  return (
    <Page title="Media">
      <Show when={trail().length > 0}>
        <ul class="row" aria-label="Folders above this one">
          <li>
            <A href={makeHref([])}>All files</A>
          </li>
          <For each={trail()}>
            {(id, at) => (
              <li>
                {"/ "}
                <Show when={at() < trail().length - 1} fallback={<strong>{sayName(id, at())}</strong>}>
                  <A href={makeHref(trail().slice(0, at() + 1))}>{sayName(id, at())}</A>
                </Show>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Folders
        parent={current()}
        makeHref={(id) => makeHref([...trail(), id])}
        hrefUp={makeHref(trail().slice(0, -1))}
      />
      <Show when={project.mayWrite()}>
        <Uploads
          projectId={project.id()}
          folderId={current()}
          place={current() === null ? null : sayName(current() ?? "", trail().length - 1)}
        />
      </Show>
      <h2>{current() === null ? "All files, the newest first" : "Files, the newest first"}</h2>
      <Show when={!isMissing(files.query.error)} fallback={<p class="empty">There is no such folder.</p>}>
        <Loaded of={files.query}>
          {() => (
            <>
              <Show when={files.rows().length > 0} fallback={<p class="quiet empty">There is no file here.</p>}>
                <ul class="cards" aria-label="Files">
                  <For each={files.rows()}>{(asset) => <AssetCard asset={asset} />}</For>
                </ul>
              </Show>
              <More of={files.query} shown={files.rows().length} total={files.first()?.total} />
            </>
          )}
        </Loaded>
      </Show>
    </Page>
  )
}

export default Media
