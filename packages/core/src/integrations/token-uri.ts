/** Where Google exchanges assertions for tokens; it writes this into service accounts. */
export const googleTokenUri = "https://oauth2.googleapis.com/token"

/** Whether tokens may be fetched from `value`: from Google, or from the server that stands in for it [H4.2]. */
export const isTokenUri = (value: string, pushBUrl: string | null): boolean => {
  if (value === googleTokenUri) return true
  if (pushBUrl === null || !URL.canParse(value)) return false
  const { origin, username, password } = new URL(value)
  return origin === new URL(pushBUrl).origin && username === "" && password === ""
}
