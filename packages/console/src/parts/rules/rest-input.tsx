import { createUniqueId, For, Match, Show, Switch } from "solid-js"
import { api } from "../../api.ts"
import { useProject } from "../../shell/project.tsx"
import { createQuery } from "../create-query.ts"
import type { Subject } from "./grammar.ts"

interface RestProps {
  readonly rest: string
  readonly onRest: (rest: string) => void
  readonly label: string
}

type Named = { readonly value: string; readonly label: string }

// More are not offered; they can be typed where they have a key, or are shown by their id.
const offered = { limit: 200, offset: 0 }

/** What can be named, read when a rule asks for it. */
const useNames = (sort: "streaks" | "achievements" | "currencies") => {
  const project = useProject()
  const read = async (): Promise<ReadonlyArray<Named>> => {
    const params = { path: project.path(), query: offered }
    if (sort === "streaks") {
      const { data } = await api.GET("/admin/projects/{projectId}/streaks", { params })
      return data.map(({ id, name }) => ({ value: id, label: name }))
    }
    if (sort === "achievements") {
      const { data } = await api.GET("/admin/projects/{projectId}/achievements", { params })
      return data.map(({ key, name }) => ({ value: key, label: name }))
    }
    const { data } = await api.GET("/admin/projects/{projectId}/currencies", { params })
    return data.map(({ code, name }) => ({ value: code, label: name }))
  }
  const names = createQuery(() => ({ queryKey: [sort, project.id(), "names"], queryFn: read, staleTime: 30_000 }))
  return () => names.data ?? []
}

/** Typed, with those that there are offered. */
const Offered = (props: RestProps & { readonly sort: "achievements" | "currencies" }) => {
  const names = useNames(props.sort)
  const list = createUniqueId()
  return (
    <>
      <input
        aria-label={props.label}
        list={list}
        value={props.rest}
        onInput={(event) => props.onRest(event.currentTarget.value)}
      />
      <datalist id={list}>
        <For each={names()}>{({ value, label }) => <option value={value}>{label}</option>}</For>
      </datalist>
    </>
  )
}

/** Chosen by name, as nobody knows its id. */
const Chosen = (props: RestProps) => {
  const names = useNames("streaks")
  const isOther = () => !names().some(({ value }) => value === props.rest)
  return (
    <select aria-label={props.label} onChange={(event) => props.onRest(event.currentTarget.value)}>
      <Show when={isOther()}>
        <option value={props.rest} selected>
          {props.rest === "" ? "Choose …" : props.rest}
        </option>
      </Show>
      <For each={names()}>
        {({ value, label }) => (
          <option value={value} selected={value === props.rest}>
            {label}
          </option>
        )}
      </For>
    </select>
  )
}

/** What completes a field: the path of a property, the streak, the achievement, the currency, the entitlement. */
export const RestInput = (props: {
  readonly subject: Subject
  readonly rest: string
  readonly onRest: (rest: string) => void
}) => (
  <Switch
    fallback={
      <input
        aria-label={props.subject.rest === "property" ? "Property" : "Entitlement"}
        placeholder={props.subject.rest === "property" ? "plan or address.city" : "pro"}
        value={props.rest}
        onInput={(event) => props.onRest(event.currentTarget.value)}
      />
    }
  >
    <Match when={props.subject.rest === "streak"}>
      <Chosen label="Streak" rest={props.rest} onRest={props.onRest} />
    </Match>
    <Match when={props.subject.rest === "achievement"}>
      <Offered sort="achievements" label="Achievement" rest={props.rest} onRest={props.onRest} />
    </Match>
    <Match when={props.subject.rest === "currency"}>
      <Offered sort="currencies" label="Currency" rest={props.rest} onRest={props.onRest} />
    </Match>
  </Switch>
)
