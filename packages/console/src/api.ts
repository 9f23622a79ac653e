import { type components, createDeveloperClient, type HearthError } from "@hearth/client"
import { createSignal } from "solid-js"

/** The records of the API, by name. */
export type Schemas = components["schemas"]

/** Who is signed in: undefined until it is known. */
const [developerId, setDeveloperId] = createSignal<string | null>()

export { developerId }

/** The developer's session with the service that this page came from. Everything that the console knows comes through it. */
const developer = createDeveloperClient({
  url: location.origin,
  onSignedOut: () => setDeveloperId(null),
})

/** Calls of the API as the developer. */
export const api = developer.api

/** A request of one's own as the developer: for files and streams. */
export const fetchAs = developer.fetch

void developer.session().then((found) => setDeveloperId(found?.developerId ?? null))

export const signIn = async (credentials: { email: string; password: string }): Promise<void> => {
  const { id } = await developer.signIn(credentials)
  setDeveloperId(id)
}

export const signUp = async (account: Schemas["DeveloperSignup"]): Promise<void> => {
  const { id } = await developer.signUp(account)
  setDeveloperId(id)
}

export const signOut = (): Promise<void> => developer.signOut()

/** Whether an error is the service's word for "this is not there". */
export const isMissing = (error: unknown): boolean => (error as HearthError | null)?.status === 404
