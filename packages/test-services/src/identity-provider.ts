import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** A key that a provider signs with, and its published part. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: Readonly<Record<string, unknown>>
}

const made = new Map<string, SigningKey>()

/** The RSA key of that id. It is cached for the whole run, because making one takes long. */
export const signingKey = (kid: string, modulusLength = 2048): SigningKey => {
  const known = made.get(kid)
  if (known !== undefined) return known
  const pair = generateKeyPairSync("rsa", { modulusLength })
  const jwk = { ...pair.publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig" }
  const key = { kid, ...pair, jwk }
  made.set(kid, key)
  return key
}

/** The base64url of some text, or of a value as JSON. */
export const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

/** A token with the signature that `signed` makes of its first two parts. */
export const forge = (header: unknown, claims: unknown, signed: (text: Buffer) => Uint8Array): string => {
  const text = `${encode(header)}.${encode(claims)}`
  return `${text}.${Buffer.from(signed(Buffer.from(text))).toString("base64url")}`
}

/** A token as providers sign it, with RS256. `header` adds or replaces members of its header. */
export const issue = (key: SigningKey, claims: unknown, header: object = {}): string =>
  forge({ alg: "RS256", kid: key.kid, ...header }, claims, (text) => sign("sha256", text, key.privateKey))

/** Writes one answer of a provider's server. */
export type Answer = (response: ServerResponse) => void

/** An answer with this body. */
export const answerWith =
  (body: string, headers: Readonly<Record<string, string>> = {}, status = 200): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)
  }

/** The answer that publishes these keys. */
export const publishKeys = (keys: ReadonlyArray<unknown>, headers?: Readonly<Record<string, string>>): Answer =>
  answerWith(JSON.stringify({ keys }), headers)

/** Closes the connection instead of an answer. */
export const hangUp: Answer = (response) => {
  response.destroy()
}

/** The server on which a provider publishes its keys. */
export interface LocalProvider {
  readonly jwksUrl: string
  /** How many requests it got. */
  readonly requests: () => number
  /** Answers like this from now on. */
  readonly answer: (answer: Answer) => void
}

/** Opens a server on loopback; `close` ends it. */
export const openKeyServer = async (first: Answer): Promise<LocalProvider & { close(): Promise<void> }> => {
  let answer = first
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    answer(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    requests: () => requests,
    answer: (next) => {
      answer = next
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

/** Opens a server on loopback, until the test has ended. */
export const openProvider = async (first: Answer): Promise<LocalProvider> => {
  const server = await openKeyServer(first)
  onTestFinished(server.close)
  return server
}
