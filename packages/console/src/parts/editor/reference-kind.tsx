import { useProject } from "../../shell/project.tsx"
import { createQuery } from "../create-query.ts"
import { ChoiceField } from "../field.tsx"
import type { ProjectPath } from "./definition.ts"
import { type ControlProps, type FieldKind, sayFault } from "./field-kind.ts"

/** Something that can be chosen, by its name. */
export interface Referred {
  readonly id: string
  readonly name: string
}

/** Another definition, chosen by its name. `sort` begins the key of its query; `none` is what null is called. */
export const reference = (
  sort: string,
  none: string,
  read: (path: ProjectPath) => Promise<ReadonlyArray<Referred>>,
): FieldKind => {
  const useNames = () => {
    const project = useProject()
    return createQuery(() => ({
      queryKey: [sort, project.id(), "to choose"],
      queryFn: () => read(project.path()),
      staleTime: 30_000,
    }))
  }
  const Name = (props: { readonly id: unknown }) => {
    const names = useNames()
    return <>{props.id ? (names.data?.find(({ id }) => id === props.id)?.name ?? String(props.id)) : none}</>
  }
  return {
    toInput: (value) => value ?? "",
    toValue: (input) => (input === "" ? null : input),
    show: (value) => <Name id={value} />,
    Control: (props: ControlProps) => {
      const names = useNames()
      const value = () => String(props.input ?? "")
      const choices = () => {
        const found = (names.data ?? []).map(({ id, name }) => ({ value: id, name }))
        // One that is not among those that are offered stays as it is.
        const other =
          value() === "" || found.some((each) => each.value === value()) ? [] : [{ value: value(), name: value() }]
        return [{ value: "", name: none }, ...other, ...found]
      }
      return (
        <ChoiceField
          label={props.label}
          hint={props.hint}
          fault={sayFault(props.issues)}
          required
          choices={choices()}
          value={value()}
          onChange={(event) => props.onInput(event.currentTarget.value)}
        />
      )
    },
  }
}
