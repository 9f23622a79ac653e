import { createSignal, Show } from "solid-js"
import { signIn, signUp } from "../api.ts"
import { createArrival } from "../parts/arrival.ts"
import { Button } from "../parts/button.tsx"
import { ErrorNote } from "../parts/error-note.tsx"
import { Field } from "../parts/field.tsx"

/** The form that signs in, or makes an account where `isNew`. */
export const SignInForm = (props: { readonly isNew: boolean }) => {
  const [error, setError] = createSignal<unknown>(null)
  const [isBusy, setIsBusy] = createSignal(false)

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string) => String(form.get(name) ?? "")
    setIsBusy(true)
    setError(null)
    try {
      const credentials = { email: text("email"), password: text("password") }
      await (props.isNew ? signUp({ ...credentials, name: text("name") || null }) : signIn(credentials))
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form onSubmit={send}>
      <Show when={props.isNew}>
        <Field name="name" label="Name" autocomplete="name" />
      </Show>
      <Field name="email" label="Email" type="email" autocomplete="username" required />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete={props.isNew ? "new-password" : "current-password"}
        hint={props.isNew ? "At least 8 characters." : undefined}
        required
      />
      <ErrorNote error={error()} />
      <Button type="submit" kind="primary" busy={isBusy()}>
        {props.isNew ? "Make the account" : "Sign in"}
      </Button>
    </form>
  )
}

/** Signing in, or making the first account. */
export const SignIn = () => {
  const [isNew, setIsNew] = createSignal(false)
  let place: HTMLElement | undefined
  createArrival({
    place: () => "sign-in",
    title: () => (isNew() ? "Make an account" : "Sign in"),
    target: () => place?.querySelector<HTMLElement>("input[type=email]") ?? undefined,
    isForm: true,
  })
  return (
    <main class="sign-in" ref={place}>
      <h1>Hearth</h1>
      <p class="quiet">{isNew() ? "Make an account for the console." : "Sign in to the console."}</p>
      <SignInForm isNew={isNew()} />
      <Button kind="link" onClick={() => setIsNew(!isNew())}>
        {isNew() ? "I have an account" : "Make an account"}
      </Button>
    </main>
  )
}
