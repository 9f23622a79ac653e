import { createSignal, Show } from "solid-js"
import { Button } from "../../parts/button.tsx"
import { createQuery } from "../../parts/create-query.ts"
import { ErrorNote } from "../../parts/error-note.tsx"
import { useProject } from "../../shell/project.tsx"

/** A button that looks and changes nothing, and what it has found. */
export const DryRun = (props: {
  readonly action: string
  readonly key: string
  readonly run: () => Promise<string>
}) => {
  const project = useProject()
  const [isAsked, setIsAsked] = createSignal(false)
  const found = createQuery(() => ({
    queryKey: ["dry-run", project.id(), props.key],
    queryFn: props.run,
    enabled: isAsked(),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }))
  return (
    <>
      <Button
        busy={found.isFetching}
        onClick={() => {
          if (isAsked()) void found.refetch()
          setIsAsked(true)
        }}
      >
        {props.action}
      </Button>
      <span aria-live="polite">
        <Show when={found.isFetched && !found.isFetching}>
          <Show when={found.error === null} fallback={<ErrorNote error={found.error} />}>
            {found.data}
          </Show>
        </Show>
      </span>
    </>
  )
}
