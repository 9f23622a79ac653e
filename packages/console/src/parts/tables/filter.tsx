import { createUniqueId, For } from "solid-js"

interface FilterProps {
  readonly label: string
  /** Each value with what it is called. The first one is what is shown where nothing is chosen. */
  readonly choices: ReadonlyArray<readonly [value: string, name: string]>
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Narrows a list to one of a few. */
export const Filter = (props: FilterProps) => {
  const id = createUniqueId()
  return (
    <div class="filter">
      <label for={id}>{props.label}</label>
      <select id={id} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <For each={props.choices}>
          {([value, name]) => (
            <option value={value} selected={value === props.value}>
              {name}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}
