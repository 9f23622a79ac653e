import { createSignal, Show } from "solid-js"
import { signIn, signUp } from "../api.ts"
import { Button } from "../parts/button.tsx"
import { ErrorNote } from "../parts/error-note.tsx"
import { Field } from "../parts/field.tsx"

/** Signing in, or making the first account. */
export const SignIn = () => {
  const [isNew, setIsNew] = createSignal(false)
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
      await (isNew() ? signUp({ ...credentials, name: text("name") || null }) : signIn(credentials))
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <main class="sign-in">
      <form onSubmit={send}>
        <h1>Hearth</h1>
        <p class="quiet">{isNew() ? "Make an account for the console." : "Sign in to the console."}</p>
        <Show when={isNew()}>
          <Field name="name" label="Name" autocomplete="name" />
        </Show>
        <Field name="email" label="Email" type="email" autocomplete="username" required />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete={isNew() ? "new-password" : "current-password"}
          hint={isNew() ? "At least 8 characters." : undefined}
          required
        />
        <ErrorNote error={error()} />
        <Button type="submit" kind="primary" busy={isBusy()}>
          {isNew() ? "Make the account" : "Sign in"}
        </Button>
        <Button kind="link" onClick={() => setIsNew(!isNew())}>
          {isNew() ? "I have an account" : "Make an account"}
        </Button>
      </form>
    </main>
  )
}
