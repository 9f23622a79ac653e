import { keepPreviousData, useQueryClient } from "@tanstack/solid-query"
import { Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { createQuery } from "../../../parts/create-query.ts"
import { Confirm } from "../../../parts/dialogs/confirm.tsx"
import { ChoiceField, Field } from "../../../parts/field.tsx"
import { Loaded } from "../../../parts/loaded.tsx"
import { Pager } from "../../../parts/tables/pager.tsx"
import { actionColumn, type Columns, Table } from "../../../parts/tables/table.tsx"
import { useSlice } from "../../../parts/tables/use-slice.ts"
import { Time } from "../../../parts/values/time.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { useProject } from "../../../shell/project.tsx"

type Member = Schemas["GroupMemberView"]

const readRole = (form: FormData): Member["role"] => {
  const role = form.get("role")
  return role === "owner" || role === "admin" ? role : "member"
}

const MemberActions = (props: { readonly member: Member; readonly onDone: () => Promise<unknown> }) => {
  const project = useProject()
  const path = () => ({
    ...project.path(),
    groupId: props.member.group_id,
    memberId: props.member.app_user_id,
  })
  const change = async (form: FormData) => {
    await api.PATCH("/admin/projects/{projectId}/groups/{groupId}/members/{memberId}", {
      params: { path: path() },
      body: { role: readRole(form) },
    })
    await props.onDone()
  }
  const remove = async () => {
    await api.DELETE("/admin/projects/{projectId}/groups/{groupId}/members/{memberId}", { params: { path: path() } })
    await props.onDone()
  }
  return (
    <Show when={props.member.role !== "owner"}>
      <div class="row">
        <Confirm
          action="Role"
          of={props.member.app_users.display_name}
          says="Admins invite and kick. A new owner takes the group over, and the one of before becomes an admin."
          done="The role is changed."
          run={change}
        >
          <ChoiceField
            name="role"
            label="Role"
            choices={["member", "admin", "owner"]}
            value={props.member.role}
            required
          />
        </Confirm>
        <Confirm
          action="Kick"
          of={props.member.app_users.display_name}
          danger
          says={`${props.member.app_users.display_name} is out of the group, and may join again.`}
          done="The user is out."
          run={remove}
        />
      </div>
    </Show>
  )
}

/** Who is in a group. */
export const GroupMembers = (props: { readonly groupId: string }) => {
  const project = useProject()
  const client = useQueryClient()
  const { slice, turn } = useSlice()
  const path = () => ({ ...project.path(), groupId: props.groupId })
  const members = createQuery(() => ({
    queryKey: ["group-members", project.id(), props.groupId, slice()],
    queryFn: ({ signal }) =>
      api.GET("/admin/projects/{projectId}/groups/{groupId}/members", {
        params: { path: path(), query: slice() },
        signal,
      }),
    placeholderData: keepPreviousData,
  }))
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["group-members", project.id(), props.groupId] }),
      client.invalidateQueries({ queryKey: ["groups", project.id()] }),
    ])
  const add = async (form: FormData) => {
    await api.POST("/admin/projects/{projectId}/groups/{groupId}/members", {
      params: { path: path() },
      body: { app_user_id: String(form.get("app_user_id") ?? "").trim(), role: "member" },
    })
    await refresh()
  }
  const columns = (): Columns<Member> => [
    {
      header: "Member",
      cell: ({ row }) => <UserLink id={row.original.app_user_id} name={row.original.app_users.display_name} />,
    },
    { header: "Role", cell: ({ row }) => row.original.role },
    { header: "Since", cell: ({ row }) => <Time at={row.original.joined_at} /> },
    ...actionColumn<Member>(project.mayWrite(), (member) => <MemberActions member={member} onDone={refresh} />),
  ]
  return (
    <section class="page">
      <header class="row">
        <h2>Members</h2>
        <Show when={project.mayWrite()}>
          <div class="row end">
            <Confirm
              action="Add a member"
              says="The user is in the group at once, whether it is public or not; a ban is lifted."
              done="The user is in the group."
              run={add}
            >
              <Field name="app_user_id" label="User" hint="The id of a user." required />
            </Confirm>
          </div>
        </Show>
      </header>
      <Loaded of={members}>
        {(found) => (
          <>
            <Table label="Members" rows={found().data} columns={columns()} empty="Nobody is in it." />
            <Pager of={found()} onTurn={turn} />
          </>
        )}
      </Loaded>
    </section>
  )
}
