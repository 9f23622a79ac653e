import { createSignal, onCleanup, Show } from "solid-js"
import { fetchAs } from "../api.ts"
import { Button } from "./button.tsx"
import { ErrorNote } from "./error-note.tsx"
import { saveFile } from "./save-file.ts"
import { sayBytes } from "./values/say-number.ts"

interface DownloadProps {
  /** What the button says. */
  readonly label: string
  /** What the file is called where the service does not say. */
  readonly name: string
  /** The path under `/v1`. It is asked for when the button is pressed. */
  readonly path: () => string
}

/** A file of the service, written while it arrives, with how much has come and a way to stop it. */
export const Download = (props: DownloadProps) => {
  const [bytes, setBytes] = createSignal(0)
  const [running, setRunning] = createSignal<AbortController | null>(null)
  const [outcome, setOutcome] = createSignal("")
  const [error, setError] = createSignal<unknown>(null)
  onCleanup(() => running()?.abort())

  const start = async () => {
    const controller = new AbortController()
    setRunning(controller)
    setBytes(0)
    setOutcome("")
    setError(null)
    try {
      const { signal } = controller
      const open = () => fetchAs(new Request(`/v1${props.path()}`, { signal }))
      const saved = await saveFile(props.name, open, signal, setBytes)
      setOutcome(saved ? `Saved: ${sayBytes(bytes())}.` : "")
    } catch (problem) {
      if (controller.signal.aborted) setOutcome(`Stopped after ${sayBytes(bytes())}.`)
      else setError(problem)
    } finally {
      setRunning(null)
    }
  }

  return (
    <div class="download">
      <div class="row">
        <Button busy={running() !== null} onClick={() => void start()}>
          {props.label}
        </Button>
        <Show when={running()}>{(now) => <Button onClick={() => now().abort()}>Stop</Button>}</Show>
        <span role="status">{running() === null ? outcome() : `${sayBytes(bytes())} so far …`}</span>
      </div>
      <ErrorNote error={error()} />
    </div>
  )
}
