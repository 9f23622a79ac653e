import { useNavigate } from "@solidjs/router"
import { keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, developerId, type Schemas } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { Confirm } from "../../parts/dialogs/confirm.tsx"
import { ChoiceField, Field } from "../../parts/field.tsx"
import { Loaded } from "../../parts/loaded.tsx"
import { Page } from "../../parts/page.tsx"
import { Pager } from "../../parts/tables/pager.tsx"
import { actionColumn, type Columns, Table } from "../../parts/tables/table.tsx"
import { useSlice } from "../../parts/tables/use-slice.ts"
import { Time } from "../../parts/values/time.tsx"
import { type Role, useProject } from "../../shell/project.tsx"

type Member = Schemas["Member"]

const roles: ReadonlyArray<{ readonly value: Role; readonly name: string }> = [
  { value: "viewer", name: "viewer: sees everything, changes nothing" },
  { value: "admin", name: "admin: changes everything but owners and the project's end" },
  { value: "owner", name: "owner: everything" },
]
/** Who may work on the project, and as what. */
const Members = () => {
  const project = useProject()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { slice, turn } = useSlice()
  const members = createQuery(() => ({
    queryKey: ["members", project.id(), slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/members", { params: { path: project.path(), query: slice() }, signal }),
    placeholderData: keepPreviousData,
  }))
  const refresh = () => client.invalidateQueries({ queryKey: ["members", project.id()] })
  const mayGive = () => roles.filter(({ value }) => project.isOwner() || value !== "owner")
  const mayChange = (member: Member) => project.isOwner() || (project.mayWrite() && member.role !== "owner")
  const roleOf = (form: FormData) => roles.find(({ value }) => value === form.get("role"))?.value ?? "viewer"
  const makePath = ({ developer_id }: Member) => ({ ...project.path(), developerId: developer_id })

  const add = async (form: FormData) => {
    const body = { email: String(form.get("email") ?? "").trim(), role: roleOf(form) }
    await api.POST("/admin/projects/{projectId}/members", { params: { path: project.path() }, body })
    await refresh()
  }
  const change = async (member: Member, form: FormData) => {
    const body = { role: roleOf(form) }
    await api.PATCH("/admin/projects/{projectId}/members/{developerId}", { params: { path: makePath(member) }, body })
    await refresh()
  }
  const remove = async (member: Member) => {
    await api.DELETE("/admin/projects/{projectId}/members/{developerId}", { params: { path: makePath(member) } })
    if (member.developer_id === developerId()) {
      navigate("/")
      await client.invalidateQueries({ queryKey: ["projects"] })
    } else await refresh()
  }

  const actionsOf = (member: Member) => (
    <Show when={mayChange(member)}>
      <div class="row">
        <Confirm
          action="Change role"
          of={member.email}
          says={`The new role of ${member.email} counts from their next call on.`}
          done="The role is changed."
          run={(form) => change(member, form)}
        >
          <ChoiceField name="role" label="Role" required choices={mayGive()} value={member.role} />
        </Confirm>
        <Confirm
          action="Remove"
          of={member.email}
          danger
          says={`${member.email} loses access to the project at once. The account stays.`}
          done="Removed."
          run={() => remove(member)}
        />
      </div>
    </Show>
  )
  const columns = (): Columns<Member> => [
    { header: "Email", cell: ({ row }) => row.original.email },
    { header: "Name", cell: ({ row }) => row.original.name ?? <span class="quiet">–</span> },
    { header: "Role", cell: ({ row }) => row.original.role },
    { header: "Since", cell: ({ row }) => <Time at={row.original.created_at} /> },
    ...actionColumn<Member>(project.mayWrite(), actionsOf),
  ]
  return (
    <Page
      title="Members"
      actions={
        <Show when={project.mayWrite()}>
          <Confirm
            action="Add member"
            says="Somebody who has an account here can work on the project at once. Who is a member already gets the role."
            done="Added."
            run={add}
          >
            <Field name="email" label="Email" type="email" required />
            <ChoiceField name="role" label="Role" required choices={mayGive()} value="viewer" />
          </Confirm>
        </Show>
      }
    >
      <Loaded of={members}>
        {(found) => (
          <>
            <Table label="Members" rows={found().data} columns={columns()} empty="There is no member." />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export default Members
