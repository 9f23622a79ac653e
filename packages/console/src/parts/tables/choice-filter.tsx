import { useSearchParams } from "@solidjs/router"
import { Filter } from "./filter.tsx"

/** Which one of a few was chosen to narrow a list: it is in the address under its name, where anything may stand. */
export const useChoice = <Name extends string, Value extends string>(name: Name, values: ReadonlyArray<Value>) => {
  const [search, setSearch] = useSearchParams<Record<string, string>>()
  const chosen = () => values.find((one) => one === search[name])
  return {
    values,
    chosen,
    /** What the service is asked for: nothing where all are shown. */
    query: () => (chosen() === undefined ? {} : { [name]: chosen() }) as { readonly [Key in Name]?: Value },
    choose: (value: string) => void setSearch({ [name]: value || null }),
  }
}

interface ChoiceFilterProps {
  readonly label: string
  readonly of: Pick<ReturnType<typeof useChoice>, "values" | "chosen" | "choose">
}

/** Narrows a list to one of a few, or shows all. */
export const ChoiceFilter = (props: ChoiceFilterProps) => (
  <Filter
    label={props.label}
    choices={[["", "all"], ...props.of.values.map((one) => [one, one] as const)]}
    value={props.of.chosen() ?? ""}
    onChange={props.of.choose}
  />
)
