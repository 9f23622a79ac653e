import { createEffect, on, Show } from "solid-js"
import { downSince, recoveries } from "../connection.ts"
import { Time } from "../parts/values/time.tsx"
import { queries } from "../queries.ts"

/** Says that the service does not answer, and since when. When it is back, everything that is shown is read anew. */
export const ServiceDown = () => {
  createEffect(on(recoveries, () => void queries.invalidateQueries(), { defer: true }))
  return (
    <div class="service-down" role="status">
      <Show when={downSince()}>
        {(since) => (
          <p>
            The service has not answered since <Time at={since().toISOString()} />. What you see stays as it was. The
            console tries again by itself.
          </p>
        )}
      </Show>
    </div>
  )
}
