import { useParams } from "@solidjs/router"
import { type Component, Show } from "solid-js"
import type { Definition } from "./definition.ts"
import { DefinitionEditor } from "./definition-editor.tsx"
import { DefinitionList } from "./definition-list.tsx"

/** The page of a sort of definition: its list, and with an id in the address the editor of one. */
export const definitionPage = <Row extends { readonly id: string }, New, Changes>(
  definition: Definition<Row, New, Changes>,
): Component => {
  return () => {
    const params = useParams<{ definitionId?: string }>()
    return (
      <Show when={params.definitionId} fallback={<DefinitionList definition={definition} />}>
        {(id) => <DefinitionEditor definition={definition} id={id()} />}
      </Show>
    )
  }
}
