import { api } from "../../api.ts"
import { createQuery } from "../../parts/create-query.ts"
import { ChoiceField } from "../../parts/field.tsx"
import { isEverybody } from "../../parts/values/is-everybody.ts"
import { sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"

interface SegmentFieldProps {
  readonly label: string
  /** The id of the segment; empty is everybody. */
  readonly value: string
  readonly onChange: (segmentId: string) => void
}

// A field that is required takes no empty value.
const everybody = "all"

/** One of the project's segments, or everybody. */
export const SegmentField = (props: SegmentFieldProps) => {
  const project = useProject()
  const segments = createQuery(() => ({
    queryKey: ["segments", project.id(), "choices"],
    queryFn: () =>
      api.GET("/admin/projects/{projectId}/segments", { params: { path: project.path(), query: { limit: 1_000 } } }),
    staleTime: 60_000,
  }))
  const choices = () => {
    const known = segments.isSuccess ? segments.data.data : []
    const named = known
      .filter((each) => !isEverybody(each))
      .map(({ id, name, user_count }) => ({ value: id, name: `${name} (${sayNumber(user_count)})` }))
    const isMissing = props.value !== "" && segments.isSuccess && !known.some(({ id }) => id === props.value)
    return [
      { value: everybody, name: "All users" },
      ...named,
      // What is chosen stays, also where the list does not have it.
      ...(isMissing ? [{ value: props.value, name: props.value }] : []),
    ]
  }
  const chosen = () => {
    const all = segments.isSuccess ? segments.data.data.find(isEverybody)?.id : undefined
    return props.value === "" || props.value === all ? everybody : props.value
  }
  return (
    <ChoiceField
      label={props.label}
      required
      choices={choices()}
      value={chosen()}
      onChange={({ currentTarget: { value } }) => props.onChange(value === everybody ? "" : value)}
    />
  )
}
