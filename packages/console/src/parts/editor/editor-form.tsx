import "./editor.css"
import { For, Show } from "solid-js"
import { Button } from "../button.tsx"
import { say } from "../dialogs/toasts.tsx"
import { ErrorNote } from "../error-note.tsx"
import type { Editor } from "./create-editor.ts"
import type { FieldDescription } from "./field-kind.ts"
import { LeaveGuard } from "./leave-guard.tsx"
import type { Conflict, Values } from "./merge.ts"

/** The fields of a record, to be read. */
export const FieldList = (props: { readonly fields: ReadonlyArray<FieldDescription>; readonly record: Values }) => (
  <dl class="fields panel">
    <For each={props.fields}>
      {({ name, label, kind }) => (
        <div>
          <dt>{label}</dt>
          <dd>{kind.show(props.record[name])}</dd>
        </div>
      )}
    </For>
  </dl>
)

const Conflicts = (props: {
  readonly of: ReadonlyArray<Conflict>
  readonly inputs: Values
  readonly choose: (conflict: Conflict, whose: "mine" | "theirs") => void
}) => (
  <section class="panel conflicts" aria-label="Changed by somebody else" role="alert">
    <h2>Somebody else has changed this meanwhile</h2>
    <p>Nothing is saved yet. Choose for each of these, then save again.</p>
    <For each={props.of}>
      {(conflict) => (
        <fieldset>
          <legend>{conflict.field.label}</legend>
          <div class="sides">
            <div>
              <h3>Yours</h3>
              <div>{conflict.field.kind.show(conflict.field.kind.toValue(conflict.mine, props.inputs))}</div>
              <Button onClick={() => props.choose(conflict, "mine")}>Keep yours: {conflict.field.label}</Button>
            </div>
            <div>
              <h3>Theirs</h3>
              <div>{conflict.field.kind.show(conflict.theirs)}</div>
              <Button onClick={() => props.choose(conflict, "theirs")}>Take theirs: {conflict.field.label}</Button>
            </div>
          </div>
        </fieldset>
      )}
    </For>
  </section>
)

/** The form of an editor: its fields, what is wrong, what somebody else has changed, and the way to save. */
export const EditorForm = <Row extends object>(props: {
  readonly editor: Editor<Row>
  /** What it is, in a word: "streak". */
  readonly noun: string
  readonly onSaved: (row: Row) => void
}) => {
  let form: HTMLFormElement | undefined
  const { editor, noun, onSaved } = props
  /** Goes to the first that is wrong. What has no field of its own, as a rule, has its first control. */
  const focusFault = () => {
    const fault = form?.querySelector<HTMLElement>("[aria-invalid=true], .fault")
    const isSaid = fault?.classList.contains("fault") === true
    const control = isSaid ? fault?.closest("fieldset")?.querySelector<HTMLElement>("input, select, textarea") : fault
    control?.focus()
  }
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const saved = await editor.save()
    if (saved !== null) {
      say("Saved.")
      onSaved(saved)
    } else focusFault()
  }
  return (
    // What is wrong is said by the service, at its field.
    <form ref={form} class="editor" novalidate onSubmit={(event) => void send(event)}>
      <LeaveGuard isDirty={editor.isDirty()} />
      <Show when={editor.isRemoved()}>
        <section class="panel conflicts" role="alert">
          <h2>This {noun} was removed meanwhile</h2>
          <p>What you have typed is still here. You can make a new one of it.</p>
          <Button onClick={editor.makeAnew}>Make a new one of it</Button>
        </section>
      </Show>
      <Show when={editor.conflicts().length > 0}>
        <Conflicts of={editor.conflicts()} inputs={editor.inputs()} choose={editor.choose} />
      </Show>
      <For each={editor.fields()}>
        {(field) => (
          <Show when={!editor.isFixed(field)} fallback={<FieldList fields={[field]} record={editor.record()} />}>
            <field.kind.Control
              label={field.label}
              hint={field.hint}
              required={field.required === true}
              input={editor.inputs()[field.name]}
              inputs={editor.inputs()}
              onInput={(input) => editor.setInput(field.name, input)}
              issues={editor.findIssues(field.name)}
            />
          </Show>
        )}
      </For>
      <ErrorNote error={editor.error()} />
      <div class="row save" classList={{ unsaved: editor.isDirty() }}>
        <Button
          type="submit"
          kind="primary"
          busy={editor.isBusy()}
          disabled={(!editor.isNew() && !editor.isDirty()) || editor.conflicts().length > 0 || editor.isRemoved()}
        >
          {editor.isNew() ? `Make the ${noun}` : "Save"}
        </Button>
        <Show when={editor.isDirty()}>
          <Button onClick={editor.discard}>Discard changes</Button>
          <span class="quiet small">Not saved yet</span>
        </Show>
      </div>
    </form>
  )
}
