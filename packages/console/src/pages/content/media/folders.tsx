import { A, useNavigate } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { useProject } from "../../../shell/project.tsx"

// As many as the service lists at once; more in one folder are found by nobody.
const most = 1_000

/** The folders in a folder, or those in none. */
export const createFolders = (projectId: () => string, parent: () => string | null) =>
  createQuery(() => ({
    queryKey: ["media-folders", projectId(), parent()],
    queryFn: () => readFolders(projectId(), parent()),
  }))

const readFolders = (projectId: string, parent: string | null) =>
  api.GET("/admin/projects/{projectId}/media/folders", {
    params: { path: { projectId }, query: { limit: most, ...(parent === null ? {} : { parent_id: parent }) } },
  })

/** The folders of a level: to open, to make, and the way to remove the open one. */
export const Folders = (props: {
  readonly parent: string | null
  readonly makeHref: (id: string) => string
  readonly hrefUp: string
}) => {
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const folders = createFolders(project.id, () => props.parent)
  const refresh = () => client.invalidateQueries({ queryKey: ["media-folders", project.id()] })

  const create = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/media/folders", {
      params: { path: project.path() },
      body: { name: String(form.get("name") ?? ""), parent_id: props.parent },
    })
    await refresh()
  }
  const remove = async () => {
    const path = { ...project.path(), folderId: props.parent ?? "" }
    await api.DELETE("/admin/projects/{projectId}/media/folders/{folderId}", { params: { path } })
    navigate(props.hrefUp, { replace: true })
    await Promise.all([refresh(), client.invalidateQueries({ queryKey: ["media", project.id()] })])
  }

  return (
    <Loaded of={folders}>
      {(found) => (
        <div class="row">
          <Show when={found().data.length > 0}>
            <ul class="row" aria-label="Folders">
              <For each={found().data}>
                {(folder) => (
                  <li>
                    <A class="button plain" href={props.makeHref(folder.id)}>
                      {folder.name}
                    </A>
                  </li>
                )}
              </For>
            </ul>
          </Show>
          <Show when={project.mayWrite()}>
            <Confirm
              action="New folder"
              says="A folder orders files for people. Addresses of files do not change with it."
              done="The folder is there."
              run={create}
            >
              <Field name="name" label="Name" required />
            </Confirm>
            <Show when={props.parent !== null}>
              <Confirm
                action="Remove this folder"
                danger
                says="What is in it goes to the folder above. No file is lost, and no address changes."
                done="The folder is gone."
                run={remove}
              />
            </Show>
          </Show>
        </div>
      )}
    </Loaded>
  )
}
