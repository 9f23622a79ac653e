import { A, useNavigate } from "@solidjs/router"
import { keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { For, Show } from "solid-js"
import { api, signOut } from "../../api.ts"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Pager } from "../../parts/tables/pager.tsx"
import { useSlice } from "../../parts/tables/use-slice.ts"
import { Time } from "../../parts/values/time.tsx"

/** The projects of the developer, and where the first one begins. */
const Projects = () => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { slice, turn } = useSlice()
  const projects = createQuery(() => ({
    queryKey: ["projects", slice()],
    queryFn: () => api.GET("/admin/projects", { params: { query: slice() } }),
    placeholderData: keepPreviousData,
  }))

  const create = async (form: FormData) => {
    const { data } = await api.POST("/admin/projects", { body: { name: String(form.get("name") ?? "") } })
    await client.invalidateQueries({ queryKey: ["projects"] })
    navigate(`/projects/${data.id}/start`)
  }

  return (
    <main id="page" class="alone">
      <Page
        title="Projects"
        actions={
          <>
            <Confirm
              action="New project"
              says="A project has its own database, users and keys. Making it takes a moment."
              done="The project is ready."
              run={create}
            >
              <Field name="name" label="Name" required />
            </Confirm>
            <Button kind="link" onClick={() => void signOut()}>
              Sign out
            </Button>
          </>
        }
      >
        <Loaded of={projects}>
          {(found) => (
            <Show
              when={found().data.length > 0}
              fallback={<p class="empty">There is no project yet. Make the first one: it takes a second.</p>}
            >
              <ul class="cards">
                <For each={found().data}>
                  {(project) => (
                    <li>
                      <A href={`/projects/${project.id}/overview`}>{project.name}</A>
                      <p class="quiet small">
                        since <Time at={project.created_at} />
                      </p>
                    </li>
                  )}
                </For>
              </ul>
              <Pager of={found()} onTurn={turn} />
            </Show>
          )}
        </Loaded>
      </Page>
    </main>
  )
}

export default Projects
