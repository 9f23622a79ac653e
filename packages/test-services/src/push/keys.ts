import { generateKeyPairSync, type KeyObject } from "node:crypto"

/** A key pair: the private key as developers are given it, the public one as providers keep it. */
export interface PushKey {
  /** PKCS8 PEM. */
  readonly privateKey: string
  readonly publicKey: KeyObject
}

const made = new Map<string, PushKey>()

const keyOf = (
  name: string,
  make: () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
): PushKey => {
  const known = made.get(name)
  if (known !== undefined) return known
  const { privateKey, publicKey } = make()
  const key = { privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), publicKey }
  made.set(name, key)
  return key
}

/** The ES256 key of that id. Kept for the whole run. */
export const apnsKey = (keyId: string): PushKey =>
  keyOf(`apns ${keyId}`, () => generateKeyPairSync("ec", { namedCurve: "P-256" }))

/** The RS256 key of a service account. Kept for the whole run. */
export const serviceAccountKey = (email: string): PushKey =>
  keyOf(`fcm ${email}`, () => generateKeyPairSync("rsa", { modulusLength: 2048 }))
