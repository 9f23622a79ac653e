import "../content.css"
import { A, useNavigate } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { Field } from "../../../parts/field.tsx"
import { Page } from "../../../parts/page.tsx"
import { type CountedPage, createPages } from "../../../parts/tables/load-more.ts"
import { PagesTable } from "../../../parts/tables/pages-table.tsx"
import type { Columns } from "../../../parts/tables/table.tsx"
import { sayNumber } from "../../../parts/values/say-number.ts"
import { Time } from "../../../parts/values/time.tsx"
import { useProject } from "../../../shell/project.tsx"
import { LinkFields, readLink } from "./link-fields.tsx"
import { LinkSettings } from "./link-settings.tsx"

type Row = Schemas["TrackedLink"]

const NewLink = () => {
  const project = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const create = async (form: FormData) => {
    const { data } = await api.POST("/admin/projects/{projectId}/deep-links/tracked", {
      params: { path: project.path() },
      body: {
        slug: String(form.get("slug") ?? ""),
        ...readLink(form),
      },
    })
    await client.invalidateQueries({ queryKey: ["links", project.id()] })
    navigate(project.href(`links/${data.id}`))
  }
  return (
    <Confirm
      action="New link"
      says="A link counts how often it is opened. Its slug stays; where it leads to can be changed later."
      done="The link is there."
      run={create}
    >
      <Field name="slug" label="Slug" hint="The end of its address: letters, digits, _ and -." required />
      <LinkFields />
    </Confirm>
  )
}

/** The links that are counted. */
const Links = () => {
  const project = useProject()
  const links = createPages<Row, CountedPage<Row>>(
    () => ["links", project.id(), "list"],
    (cursor = "start", signal) =>
      api.GET("/admin/projects/{projectId}/deep-links/tracked", {
        params: { path: project.path(), query: { limit: 50, cursor } },
        signal,
      }),
  )
  const columns: Columns<Row> = [
    {
      header: "Link",
      cell: ({ row }) => <A href={project.href(`links/${row.original.id}`)}>{row.original.slug}</A>,
    },
    { header: "Leads to", cell: ({ row }) => row.original.destination_url },
    { header: "Clicks", cell: ({ row }) => sayNumber(row.original.click_count) },
    { header: "Made", cell: ({ row }) => <Time at={row.original.created_at} /> },
  ]
  return (
    <Page
      title="Deep links"
      actions={
        <Show when={project.mayWrite()}>
          <NewLink />
        </Show>
      }
    >
      <PagesTable
        label="Deep links"
        of={links}
        columns={columns}
        empty={`A link leads into your app from anywhere, and counts who opens it.${project.mayWrite() ? " Make the first one with “New link”." : ""}`}
      />
      <LinkSettings />
    </Page>
  )
}

export default Links
