import { A, useNavigate } from "@solidjs/router"
import { useQueryClient } from "@tanstack/solid-query"
import { createEffect, on, Show } from "solid-js"
import { Dynamic } from "solid-js/web"
import { useProject } from "../../shell/project.tsx"
import { createQuery } from "../create-query.ts"
import { Confirm } from "../dialogs/confirm.tsx"
import { Loaded } from "../loaded.tsx"
import { Page } from "../page.tsx"
import { createEditor } from "./create-editor.ts"
import type { Definition } from "./definition.ts"
import { EditorForm, FieldList } from "./editor-form.tsx"
import type { Values } from "./merge.ts"
import { readOne } from "./read-one.ts"

type AnyRow = { readonly id: string }

const Form = <Row extends AnyRow, New, Changes>(props: {
  readonly definition: Definition<Row, New, Changes>
  readonly row: Row | null
}) => {
  const { definition } = props
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const editor = createEditor<Row>({
    fields: definition.fields,
    row: props.row,
    blank: definition.blank,
    read: ({ id }) => readOne(definition, project.path(), id),
    // The names of the fields are those of the bodies; what is in them is the service's to judge.
    create: (values) => definition.create(project.path(), values as New),
    change: ({ id }, changes) => definition.change(project.path(), id, changes as Changes),
  })
  createEffect(
    on(
      () => props.row,
      (row) => {
        if (row !== null) editor.refresh(row)
      },
      { defer: true },
    ),
  )
  const saved = async (row: Row) => {
    client.setQueryData([definition.path, project.id(), row.id], row)
    // Who has typed on while it was made stays with that, and goes to its page with the next save.
    const isHome = props.row !== null && props.row.id === row.id
    if (!(isHome || editor.isDirty())) navigate(project.href(`${definition.path}/${row.id}`), { replace: true })
    await client.invalidateQueries({ queryKey: [definition.path, project.id()] })
  }
  return <EditorForm editor={editor} noun={definition.noun} onSaved={(row) => void saved(row)} />
}

const Existing = <Row extends AnyRow, New, Changes>(props: {
  readonly definition: Definition<Row, New, Changes>
  readonly id: string
}) => {
  const { definition } = props
  const project = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const one = createQuery(() => ({
    queryKey: [definition.path, project.id(), props.id],
    queryFn: ({ signal }) => readOne(definition, project.path(), props.id, signal),
  }))
  const mayEdit = (row: Row) => project.mayWrite() && definition.isEditable?.(row) !== false
  const remove = async () => {
    await definition.remove(project.path(), props.id)
    // The page that shows it is left first: it would read what is gone.
    navigate(project.href(definition.home ?? definition.path))
    client.removeQueries({ queryKey: [definition.path, project.id(), props.id] })
    await client.invalidateQueries({ queryKey: [definition.path, project.id()] })
  }
  return (
    <Page
      title={one.data === undefined ? definition.title : definition.sayName(one.data)}
      actions={
        <Show when={one.data !== undefined && mayEdit(one.data)}>
          <Confirm action="Remove" danger says={definition.removing} done="Removed." run={remove} />
        </Show>
      }
    >
      <Loaded of={one}>
        {(row) => (
          <>
            <Show
              when={mayEdit(row())}
              fallback={<FieldList fields={definition.fields} record={row() as unknown as Values} />}
            >
              <Form definition={definition} row={row()} />
            </Show>
            <Dynamic component={definition.Below} row={row()} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** One definition with its form, or a new one. */
export const DefinitionEditor = <Row extends AnyRow, New, Changes>(props: {
  readonly definition: Definition<Row, New, Changes>
  readonly id: string
}) => {
  const project = useProject()
  return (
    <>
      <p class="quiet small place">
        <A href={project.href(props.definition.home ?? props.definition.path)}>{props.definition.title}</A>
      </p>
      <Show when={props.id !== "new"} fallback={<NewOne definition={props.definition} />}>
        <Show when={props.id} keyed>
          {(id) => <Existing definition={props.definition} id={id} />}
        </Show>
      </Show>
    </>
  )
}

const NewOne = <Row extends AnyRow, New, Changes>(props: { readonly definition: Definition<Row, New, Changes> }) => {
  const project = useProject()
  return (
    <Page title={`New ${props.definition.noun}`}>
      <Show when={project.mayWrite()} fallback={<p>Only admins and owners of the project can make one.</p>}>
        <Form definition={props.definition} row={null} />
      </Show>
    </Page>
  )
}
