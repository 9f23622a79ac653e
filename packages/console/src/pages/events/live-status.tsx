import { A } from "@solidjs/router"
import { createSignal, onCleanup, Show } from "solid-js"
import { Button } from "../../parts/button.tsx"
import { Facts } from "../../parts/values/facts.tsx"
import { sayNumber } from "../../parts/values/say-number.ts"
import { useProject } from "../../shell/project.tsx"
import type { ConnectionState, LiveFeed } from "./live-feed.ts"
import { addCounts, type Counts, noCounts } from "./rows.ts"

const words: Readonly<Record<ConnectionState, string>> = {
  connecting: "connecting …",
  live: "live",
  reconnecting: "reconnecting …",
  over: "not listening",
}

// As often as it is said how much there was: often enough to know, and seldom enough to listen to something else.
const sayMillis = 15_000

const sayNumbers = ({ events, effects, dead_letters }: Counts): string =>
  `${sayNumber(events)} events, ${sayNumber(effects)} effects, ${sayNumber(dead_letters)} dead letters in the last ${sayMillis / 1_000} seconds.`

/** Whether the page is live, and the way to hold it and to let it go on. */
export const LiveState = (props: { readonly feed: LiveFeed }) => (
  <>
    <span role="status" class={`tag live-state ${props.feed.state()}`}>
      {words[props.feed.state()]}
      {props.feed.isPaused() ? ", paused" : ""}
    </span>
    <Show when={props.feed.isPaused()} fallback={<Button onClick={props.feed.pause}>Pause</Button>}>
      <Button kind="primary" onClick={props.feed.resume}>
        Resume ({sayNumber(props.feed.waiting())} new)
      </Button>
    </Show>
  </>
)

/** For those who hear the page: from time to time how much there was, and not every line of it. */
const Announcer = (props: { readonly feed: LiveFeed }) => {
  const [text, setText] = createSignal("")
  let before = noCounts
  const timer = setInterval(() => {
    const { events, effects, dead_letters } = before
    before = props.feed.total()
    const since = addCounts(before, { events: -events, effects: -effects, dead_letters: -dead_letters })
    setText(since.events + since.effects + since.dead_letters > 0 ? sayNumbers(since) : "")
  }, sayMillis)
  onCleanup(() => clearInterval(timer))
  return (
    <p role="status" class="unseen">
      {text()}
    </p>
  )
}

/** How much there is each second, and how much there was. */
export const LiveCounts = (props: { readonly feed: LiveFeed }) => {
  const project = useProject()
  const { perSecond, total } = props.feed
  const of = (kind: keyof Counts) => (
    <>
      <strong>{sayNumber(perSecond()[kind])}</strong> <span class="quiet">{sayNumber(total()[kind])} so far</span>
    </>
  )
  return (
    <>
      <div class="panel live-counts">
        <Facts
          of={[
            ["Events a second", () => of("events")],
            ["Effects a second", () => of("effects")],
            [
              "Dead letters a second",
              () => (
                <>
                  {of("dead_letters")}{" "}
                  <Show when={total().dead_letters > 0}>
                    <A href={project.href("dead-letters")}>Look at them</A>
                  </Show>
                </>
              ),
            ],
          ]}
        />
      </div>
      <Announcer feed={props.feed} />
    </>
  )
}
