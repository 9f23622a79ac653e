import { Index, Show } from "solid-js"
import { Button } from "../button.tsx"
import { focusControl } from "../dialogs/keep-focus.ts"
import { TextField } from "../field.tsx"
import { JsonView } from "../values/json-view.tsx"
import { type ControlProps, type FieldKind, NoValue, sayFault } from "./field-kind.ts"

const toSteps = (input: unknown): ReadonlyArray<string> => (Array.isArray(input) ? input : [])

const swap = (steps: ReadonlyArray<string>, at: number): ReadonlyArray<string> =>
  steps.map((step, index) => (index === at ? (steps[at + 1] ?? step) : index === at + 1 ? (steps[at] ?? step) : step))

const parse = (step: string, at: number): unknown => {
  try {
    return JSON.parse(step)
  } catch {
    throw new NoValue(`step ${at + 1} is not JSON`)
  }
}

const Steps = (props: ControlProps) => {
  const steps = () => toSteps(props.input)
  let place: HTMLFieldSetElement | undefined
  const find = (at: number, what = "") => [...(place?.querySelectorAll(`.step ${what}`) ?? [])].slice(0, at + 1).at(-1)
  /** Who adds or removes a step goes on with the one that is there then. */
  const change = (to: ReadonlyArray<string>, at: number) => {
    props.onInput(to)
    focusControl(() => find(at) ?? place)
  }
  /** Who moves a step goes with it, and moves it on with the same key, to the end. */
  const move = (at: number, by: 1 | -1) => {
    props.onInput(swap(steps(), by === 1 ? at : at - 1))
    focusControl(() => {
      const row = find(at + by, ".row")
      const buttons = [...(row?.querySelectorAll("button") ?? [])]
      return buttons.find(({ textContent }) => textContent.endsWith(by === 1 ? "down" : "up")) ?? row
    })
  }
  const faultAt = (at: number) =>
    sayFault(
      props.issues
        .filter(({ path }) => path === String(at) || path.startsWith(`${at}.`))
        .map(({ path, message }) => ({ path: path.slice(String(at).length + 1), message })),
    )
  return (
    <fieldset ref={place}>
      <legend>{props.label}</legend>
      <span class="quiet small">{props.hint}</span>
      <Index each={steps()}>
        {(step, at) => (
          <div class="step">
            <TextField
              label={`Step ${at + 1}`}
              required
              rows={4}
              spellcheck={false}
              fault={faultAt(at)}
              value={step()}
              onInput={(event) =>
                props.onInput(steps().map((each, index) => (index === at ? event.currentTarget.value : each)))
              }
            />
            <div class="row">
              <Show when={at > 0}>
                <Button kind="link" onClick={() => move(at, -1)}>
                  Step {at + 1} up
                </Button>
              </Show>
              <Show when={at < steps().length - 1}>
                <Button kind="link" onClick={() => move(at, 1)}>
                  Step {at + 1} down
                </Button>
              </Show>
              <Button
                kind="link"
                onClick={() =>
                  change(
                    steps().filter((_, index) => index !== at),
                    at,
                  )
                }
              >
                Remove step {at + 1}
              </Button>
            </div>
          </div>
        )}
      </Index>
      <div>
        <Button onClick={() => change([...steps(), '{\n  "title": ""\n}'], steps().length)}>Add a step</Button>
      </div>
      <Show when={sayFault(props.issues.filter(({ path }) => !/^\d/.test(path)))}>
        {(fault) => <p class="fault">{fault()}</p>}
      </Show>
    </fieldset>
  )
}

/** Steps in an order, each an object of the app's own. */
export const steps: FieldKind = {
  toInput: (value) => (Array.isArray(value) ? value.map((step) => JSON.stringify(step, null, 2)) : []),
  toValue: (input) => toSteps(input).map(parse),
  show: (value) => <JsonView label="Steps" value={value} />,
  Control: Steps,
}
