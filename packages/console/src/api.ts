import { type components, createDeveloperClient, type HearthError } from "@hearth/client"
import { batch, createSignal } from "solid-js"
import { watchedFetch } from "./connection.ts"
import { queries } from "./queries.ts"

/** The records of the API, by name. */
export type Schemas = components["schemas"]

/** Who is signed in: undefined until it is known. One whose session has ended stays until somebody signs in again. */
const [developerId, setDeveloperId] = createSignal<string | null>()

/** Whether the session has ended without a sign-out in this window: revoked, or ended elsewhere. */
const [hasEnded, setHasEnded] = createSignal(false)

export { developerId, hasEnded }

const setSignedIn = (id: string) => {
  // Nobody sees what another one has read.
  if (id !== developerId()) queries.clear()
  batch(() => {
    setHasEnded(false)
    setDeveloperId(id)
  })
}

/** The developer's session with the service that this page came from. Everything that the console knows comes through it. */
const developer = createDeveloperClient({
  url: location.origin,
  fetch: watchedFetch,
  onSignedOut: (reason) => {
    if (reason !== "signed_out" && typeof developerId() === "string") setHasEnded(true)
    else leave()
  },
})

const leave = () =>
  batch(() => {
    setHasEnded(false)
    setDeveloperId(null)
  })

/** Calls of the API as the developer. */
export const api = developer.api

/** A request of one's own as the developer: for files and streams. */
export const fetchAs = developer.fetch

const readSession = async () => {
  const found = await developer.session()
  if (found !== null) setSignedIn(found.developerId)
  else if (!hasEnded()) leave()
}

void readSession()

// Who signs in again in another window is signed in here, too. The client reads what was stored a moment after the event.
addEventListener("storage", () => {
  if (hasEnded() || developerId() === null) setTimeout(() => void readSession(), 200)
})

export const signIn = async (credentials: { email: string; password: string }): Promise<void> => {
  const { id } = await developer.signIn(credentials)
  setSignedIn(id)
}

export const signUp = async (account: Schemas["DeveloperSignup"]): Promise<void> => {
  const { id } = await developer.signUp(account)
  setSignedIn(id)
}

export const signOut = async (): Promise<void> => {
  await developer.signOut()
  leave()
}

/** Whether an error is the service's word for "this is not there". */
export const isMissing = (error: unknown): boolean => (error as HearthError | null)?.status === 404

/** Whether an error is the service's word for "this is not for you". */
export const isForbidden = (error: unknown): boolean => (error as HearthError | null)?.code === "FORBIDDEN"
