import { createSignal, For, Show } from "solid-js"
import { api, type Schemas } from "../../../api.ts"
import { Button } from "../../../parts/button.tsx"
import { ErrorNote } from "../../../parts/error-note.tsx"
import { ChoiceField } from "../../../parts/field.tsx"
import { UserLink } from "../../../parts/values/user-link.tsx"
import { sayWord } from "../../../parts/values/words.ts"
import { useProject } from "../../../shell/project.tsx"
import { ConfigFields, toConfig, toConfigInput } from "./rule-config.tsx"
import { ruleTypes } from "./rule-types.ts"

type Preview = Schemas["RulePreview"]

const Matches = (props: { readonly preview: Preview }) => (
  <section class="page" aria-label="What it matches">
    <p role="status">
      {props.preview.matches} of the newest {props.preview.checked} texts match.
    </p>
    <ul class="talk">
      <For each={props.preview.sample}>
        {(match) => (
          <li>
            <span class="tag">{sayWord(match.content_type)}</span>{" "}
            <Show when={match.app_user_id}>
              {(id) => (
                <>
                  by <UserLink id={id()} />
                </>
              )}
            </Show>
            <p class="text">{match.excerpt}</p>
          </li>
        )}
      </For>
    </ul>
  </section>
)

/** Tries a rule on what users have written lately, before it counts. */
export const TryRule = (props: { readonly ruleType: string; readonly config: Record<string, unknown> }) => {
  const project = useProject()
  const [type, setType] = createSignal(props.ruleType)
  const [input, setInput] = createSignal(toConfigInput(props.config))
  const [preview, setPreview] = createSignal<Preview | null>(null)
  const [error, setError] = createSignal<unknown>(null)
  const [isBusy, setIsBusy] = createSignal(false)
  const run = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setError(null)
    try {
      const { data } = await api.POST("/admin/projects/{projectId}/moderation/rules/preview", {
        params: { path: project.path() },
        body: { rule_type: type(), config: toConfig(type(), input()) },
      })
      setPreview(data)
    } catch (problem) {
      setPreview(null)
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <details class="panel">
      <summary>Try a rule on what users have written</summary>
      <form class="editor" onSubmit={run}>
        <p class="quiet">It looks at the newest 1,000 texts. Nothing is changed, and nothing is saved.</p>
        <ChoiceField
          label="Looks for"
          required
          choices={[...ruleTypes]}
          value={type()}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <ConfigFields type={type()} input={input()} onInput={setInput} issues={[]} />
        <ErrorNote error={error()} />
        <div class="row">
          <Button type="submit" kind="primary" busy={isBusy()}>
            Try
          </Button>
        </div>
        <Show when={preview()}>{(found) => <Matches preview={found()} />}</Show>
      </form>
    </details>
  )
}
