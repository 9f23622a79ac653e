import { useQueryClient } from "@tanstack/solid-query"
import { createEffect, on, Show } from "solid-js"
import { useProject } from "../../shell/project.tsx"
import { createQuery } from "../create-query.ts"
import { Loaded } from "../loaded.tsx"
import { createEditor } from "./create-editor.ts"
import type { ProjectPath } from "./definition.ts"
import { EditorForm, FieldList } from "./editor-form.tsx"
import type { FieldDescription } from "./field-kind.ts"
import type { Values } from "./merge.ts"

interface SingletonProps<Row extends object, Body> {
  /** The beginning of the keys of its queries. */
  readonly sort: string
  readonly title: string
  readonly about: string
  readonly fields: ReadonlyArray<FieldDescription<Extract<keyof Body, string>>>
  readonly read: (path: ProjectPath) => Promise<Row>
  /** Writes it: as a whole, or what has changed of what it was before. */
  readonly replace: (path: ProjectPath, body: Body, changes: Body, before: Row) => Promise<Row>
}

const Form = <Row extends object, Body>(props: SingletonProps<Row, Body> & { readonly row: Row }) => {
  const project = useProject()
  const client = useQueryClient()
  const editor = createEditor<Row>({
    fields: props.fields,
    row: props.row,
    blank: {},
    read: () => props.read(project.path()),
    create: (all) => props.replace(project.path(), all as Body, all as Body, props.row),
    change: (before, changes, all) => props.replace(project.path(), all as Body, changes as Body, before),
  })
  createEffect(on(() => props.row, editor.refresh, { defer: true }))
  return (
    <EditorForm
      editor={editor}
      noun={props.title}
      onSaved={() => void client.invalidateQueries({ queryKey: [props.sort, project.id()] })}
    />
  )
}

/** What a project has one of. */
export const Singleton = <Row extends object, Body>(props: SingletonProps<Row, Body>) => {
  const project = useProject()
  const found = createQuery(() => ({
    queryKey: [props.sort, project.id()],
    queryFn: () => props.read(project.path()),
  }))
  return (
    <section aria-label={props.title}>
      <h2>{props.title}</h2>
      <p class="quiet">{props.about}</p>
      <Loaded of={found}>
        {(row) => (
          <Show
            when={project.mayWrite()}
            fallback={<FieldList fields={props.fields} record={row() as unknown as Values} />}
          >
            <Form {...props} row={row()} />
          </Show>
        )}
      </Loaded>
    </section>
  )
}
