import { A, useNavigate } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { Field } from "../../parts/field.tsx"
import { useProject } from "../../shell/project.tsx"

/** What cannot be undone, for owners: how to revoke, what to keep first, and the end of the project. */
export const DangerZone = () => {
  const project = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const found = createQuery(() => ({
    queryKey: ["project", project.id()],
    queryFn: () => api.GET("/admin/projects/{projectId}", { params: { path: project.path() } }),
  }))
  const remove = async (name: string, form: FormData) => {
    if (String(form.get("name") ?? "").trim() !== name.trim())
      throw new Error(`Nothing is deleted: what you have typed is not ${name}.`)
    const id = project.id()
    await api.DELETE("/admin/projects/{projectId}", { params: { path: { projectId: id } } })
    // The pages of the project are left first: they would read what is gone.
    navigate("/")
    client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(id) })
    await client.invalidateQueries({ queryKey: ["projects"] })
  }
  return (
    <Show when={found.data?.data.name}>
      {(name) => (
        <section class="panel page danger" aria-label="Danger zone">
          <h2>Danger zone</h2>
          <p>To change its name or take something back, the project need not end:</p>
          <ul>
            <li>The name is changed in the form above: nothing else changes with it.</li>
            <li>
              <A href={project.href("keys")}>Client keys</A>: make a new one, put it into your apps, then revoke the old
              one.
            </li>
            <li>
              <A href={project.href("integrations")}>Integrations</A>: a new secret takes the place of the old one; one
              that is removed takes and sends nothing any more.
            </li>
            <li>
              <A href={project.href("members")}>Members</A>: who is removed loses access at once.
            </li>
          </ul>
          <p>
            Deleting the project ends its apps at once: their keys and sessions are refused, and the database with
            users, events, progress and media goes. Nothing brings it back but a backup of the service (
            <code>hearth backup</code>, <code>hearth restore</code>). What you want to keep yourself, take with you
            first: <A href={project.href("exports")}>Exports</A>.
          </p>
          <div>
            <Confirm
              action="Delete project"
              danger
              says={`${name()} is deleted now, with its database, its users, its files, its keys and its integrations. You cannot undo this.`}
              done="The project is deleted."
              run={(form) => remove(name(), form)}
            >
              <Field name="name" label={`Type ${name()} to confirm`} autocomplete="off" required />
            </Confirm>
          </div>
        </section>
      )}
    </Show>
  )
}
