import { Clipboard } from "@ark-ui/solid/clipboard"
import { keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Pager } from "../../parts/tables/pager.tsx"
import { type Columns, Table } from "../../parts/tables/table.tsx"
import { useSlice } from "../../parts/tables/use-slice.ts"
import { Time } from "../../parts/values/time.tsx"
import { useProject } from "../../shell/project.tsx"

type Key = Schemas["ApiKey"]

/** The keys that apps call with. */
const Keys = () => {
  const project = useProject()
  const client = useQueryClient()
  const { slice, turn } = useSlice()
  const keys = createQuery(() => ({
    queryKey: ["keys", project.id(), slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/api-keys", { params: { path: project.path(), query: slice() }, signal }),
    placeholderData: keepPreviousData,
  }))
  const refresh = () => client.invalidateQueries({ queryKey: ["keys", project.id()] })
  const create = async (form: FormData) => {
    const name = String(form.get("name") ?? "").trim()
    const body = name === "" ? {} : { name }
    await api.POST("/admin/projects/{projectId}/api-keys", { params: { path: project.path() }, body })
    await refresh()
  }
  const revoke = async ({ id }: Key) => {
    const path = { ...project.path(), keyId: id }
    await api.DELETE("/admin/projects/{projectId}/api-keys/{keyId}", { params: { path } })
    await refresh()
  }

  const columns: Columns<Key> = [
    { header: "Name", cell: ({ row }) => row.original.name ?? <span class="quiet">–</span> },
    { header: "Key", cell: ({ row }) => <code>{row.original.key}</code> },
    { header: "Made", cell: ({ row }) => <Time at={row.original.created_at} /> },
    {
      id: "actions",
      header: "Actions",
      cell: ({ row }) => (
        <div class="row">
          <Clipboard.Root value={row.original.key}>
            <Clipboard.Trigger class="button plain" aria-label={`Copy: ${row.original.name ?? row.original.key}`}>
              <Clipboard.Indicator copied="Copied">Copy</Clipboard.Indicator>
            </Clipboard.Trigger>
          </Clipboard.Root>
          <Show when={project.mayWrite()}>
            <Confirm
              action="Revoke"
              of={row.original.name ?? row.original.key}
              danger
              says={`Every copy of an app that has the key "${row.original.name ?? row.original.key}" is refused at once. That cannot be undone.`}
              done="Revoked."
              run={() => revoke(row.original)}
            />
          </Show>
        </div>
      ),
    },
  ]
  return (
    <Page
      title="Client keys"
      actions={
        <Show when={project.mayWrite()}>
          <Confirm
            action="New key"
            says="Another key for apps. The keys that there are go on working."
            done="The key is made."
            run={create}
          >
            <Field name="name" label="Name" hint="By which you know the key again." />
          </Confirm>
        </Show>
      }
    >
      <p class="quiet">A key says which project an app belongs to. It is in every copy of the app, and no secret.</p>
      <Loaded of={keys}>
        {(found) => (
          <>
            <Table
              label="Client keys"
              rows={found().data}
              columns={columns}
              empty="There is no key: no app can call."
            />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Keys
