import { Navigate, Route, Router, useLocation } from "@solidjs/router"
import { QueryClientProvider } from "@tanstack/solid-query"
import { lazy, Match, type ParentProps, Show, Switch } from "solid-js"
import { developerId } from "./api.ts"
import { projectPages } from "./pages/index.ts"
import { Failed } from "./parts/failed.tsx"
import { Toasts } from "./parts/toasts.tsx"
import { queries } from "./queries.ts"
import { SignIn } from "./session/sign-in.tsx"
import { ProjectShell } from "./shell/project-shell.tsx"

const Projects = lazy(() => import("./pages/projects/projects.tsx"))

/** Nobody sees a page who is not signed in; afterwards they are where they wanted to be. */
const Guard = (props: ParentProps) => {
  const location = useLocation()
  const isForm = () => location.pathname === "/sign-in"
  return (
    <QueryClientProvider client={queries}>
      <Failed>
        <Switch>
          <Match when={developerId() === null}>
            <SignIn />
          </Match>
          <Match when={typeof developerId() === "string"}>
            <Show when={!isForm()} fallback={<Navigate href="/" />}>
              {props.children}
            </Show>
          </Match>
        </Switch>
      </Failed>
      <Toasts />
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
    </Route>
    <Route path="*" component={() => <Navigate href="/" />} />
  </Router>
)
