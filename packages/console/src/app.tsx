import { Navigate, Route, Router, useLocation } from "@solidjs/router"
import { QueryClientProvider } from "@tanstack/solid-query"
import { createEffect, lazy, Match, on, type ParentProps, Show, Switch } from "solid-js"
import { developerId, hasEnded } from "./api.ts"
import { projectPages } from "./pages/index.ts"
import { said } from "./parts/arrival.ts"
import { Toasts } from "./parts/dialogs/toasts.tsx"
import { Failed } from "./parts/failed.tsx"
import { queries } from "./queries.ts"
import { SessionEnded } from "./session/session-ended.tsx"
import { SignIn } from "./session/sign-in.tsx"
import { NotFound } from "./shell/not-found.tsx"
import { ProjectShell } from "./shell/project-shell.tsx"
import { ServiceDown } from "./shell/service-down.tsx"

const Projects = lazy(() => import("./pages/projects/projects.tsx"))

/** Nobody sees a page who is not signed in; afterwards they are where they wanted to be. */
const Guard = (props: ParentProps) => {
  const location = useLocation()
  const isForm = () => location.pathname === "/sign-in"
  // Who signs in again after the end of a session sees the page read anew.
  createEffect(on(hasEnded, (isOver, before) => before === true && !isOver && void queries.invalidateQueries()))
  return (
    <QueryClientProvider client={queries}>
      <ServiceDown />
      <Failed>
        <Switch>
          <Match when={developerId() === null}>
            <SignIn />
          </Match>
          <Match when={developerId()} keyed>
            <Show when={!isForm()} fallback={<Navigate href="/" />}>
              {props.children}
            </Show>
          </Match>
        </Switch>
      </Failed>
      <SessionEnded />
      <Toasts />
      <p class="unseen" role="status" aria-label="Page">
        {said()}
      </p>
    </QueryClientProvider>
  )
}

export const App = () => (
  <Router base="/console" root={Guard}>
    <Route path="/" component={Projects} />
    <Route path="/sign-in" />
    <Route path="/projects/:projectId" component={ProjectShell}>
      <Route path="/" component={() => <Navigate href="overview" />} />
      {projectPages.map(({ path, component }) => (
        <Route path={path} component={component} />
      ))}
      <Route path="*" component={NotFound} />
    </Route>
    <Route
      path="*"
      component={() => (
        <main id="page" class="alone">
          <NotFound />
        </main>
      )}
    />
  </Router>
)
