import type { Api, Credentials } from "../harness/api.ts"

/** A file that waits to be sent, as its creator is told of it. */
export interface NewFile {
  readonly data: {
    readonly id: string
    readonly storage_url: string
    readonly filename: string
    readonly status: string
  }
  readonly upload_url: string
}

/** Adds a file. Rejects where that is refused. */
export const addFile = async (api: Api, path: string, as: Credentials, given: object = {}): Promise<NewFile> => {
  const body = { filename: "a.png", mime_type: "image/png", ...given }
  const { status, text } = await api.call("POST", path, as, body)
  if (status !== 201) throw new Error(`${status}: ${text}`)
  return JSON.parse(text)
}

/** Sends a file, and answers status and code. */
export const sendFile = async (
  url: string,
  body: NonNullable<RequestInit["body"]>,
  type = "image/png",
): Promise<readonly [number, string | null]> => {
  const headers = type === "" ? {} : { "content-type": type }
  const response = await fetch(url, { method: "PUT", body, headers })
  const text = await response.text()
  return [response.status, text === "" ? null : (JSON.parse(text).error?.code ?? null)]
}

/** What is served at an address: status, text and headers. */
export const fetchFile = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const response = await fetch(url, { method, headers })
  return { status: response.status, text: await response.text(), header: (name: string) => response.headers.get(name) }
}
