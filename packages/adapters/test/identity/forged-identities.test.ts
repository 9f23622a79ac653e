import { constants, createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import {
  encode,
  forge,
  issue,
  openProvider,
  publishKeys,
  type SigningKey,
  signingKey,
} from "@hearth/test-services/identity-provider"
import { beforeEach, describe, expect, it } from "vitest"
import { CLAIMS, KEY, NOW, oneProvider } from "./one-provider.ts"

const HEADER = { alg: "RS256", kid: KEY.kid }
const OWN = signingKey("attacker's own")
const [, PAYLOAD, SIGNATURE] = issue(KEY, CLAIMS).split(".")

let harness: Awaited<ReturnType<typeof oneProvider>>
beforeEach(async () => {
  harness = await oneProvider()
  // A valid token: each forged one differs from it in one thing. This also loads the keys.
  await harness.accepted(issue(KEY, CLAIMS))
})

describe("algorithms", () => {
  it.each(["none", "None", "NONE", "nOnE", ""])("refuses alg %j, signed or not", async (alg) => {
    const header = encode({ ...HEADER, alg })
    for (const end of ["", SIGNATURE, "A", "AA"]) await harness.refused(`${header}.${PAYLOAD}.${end}`)
    await harness.refused(issue(KEY, CLAIMS, { alg }))
  })

  it("refuses HMAC with the public key as the secret, in every encoding of the key", async () => {
    const { n, e } = KEY.jwk as { n: string; e: string }
    const pem = (type: "spki" | "pkcs1") => KEY.publicKey.export({ format: "pem", type }).toString()
    const der = (type: "spki" | "pkcs1") => KEY.publicKey.export({ format: "der", type })
    const texts = [pem("spki"), pem("spki").trim(), pem("pkcs1"), n, n + e, JSON.stringify(KEY.jwk), ""]
    const secrets = [der("spki"), der("pkcs1"), Buffer.from(n, "base64url"), ...texts.map((text) => Buffer.from(text))]
    for (const secret of secrets) {
      for (const bits of ["256", "384", "512"]) {
        const mac = (text: Buffer) => createHmac(`sha${bits}`, secret).update(text).digest()
        await harness.refused(forge({ ...HEADER, alg: `HS${bits}` }, CLAIMS, mac))
        await harness.refused(forge(HEADER, CLAIMS, mac))
      }
    }
  })

  it("refuses every other algorithm under the provider's own key", async () => {
    const pss = { key: KEY.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    const ways: ReadonlyArray<readonly [string, (text: Buffer) => Uint8Array]> = [
      ["PS256", (text) => sign("sha256", text, pss)],
      ["RS384", (text) => sign("sha384", text, KEY.privateKey)],
      ["RS512", (text) => sign("sha512", text, KEY.privateKey)],
      ["RS1", (text) => sign("sha1", text, KEY.privateKey)],
    ]
    for (const [alg, signed] of ways) {
      await harness.refused(forge({ ...HEADER, alg }, CLAIMS, signed))
      await harness.refused(forge(HEADER, CLAIMS, signed))
    }
    for (const alg of ["RS256 ", "rs256", "RSA256", 256, null, ["RS256"], { alg: "RS256" }, undefined]) {
      await harness.refused(issue(KEY, CLAIMS, { alg }))
    }
  })

  it("refuses ES256 and EdDSA even where the provider publishes such a key", async () => {
    const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const edwards = generateKeyPairSync("ed25519")
    const published = (kid: string, key: KeyObject) => ({ ...key.export({ format: "jwk" }), kid, use: "sig" })
    const keys = [KEY.jwk, published("ec", elliptic.publicKey), published("ed", edwards.publicKey)]
    const { accepted, refused } = await oneProvider(publishKeys(keys))
    await accepted(issue(KEY, CLAIMS))
    for (const [alg, kid] of [
      ["ES256", "ec"],
      ["EdDSA", "ed"],
      ["RS256", "ec"],
      ["RS256", "ed"],
    ]) {
      const { privateKey } = kid === "ec" ? elliptic : edwards
      const signed = (text: Buffer) =>
        sign(kid === "ec" ? "sha256" : null, text, { key: privateKey, dsaEncoding: "ieee-p1363" })
      await refused(forge({ alg, kid }, CLAIMS, signed))
    }
  })
})

describe("headers", () => {
  it("refuses an unknown or invalid kid", async () => {
    const paths = ["../../../../dev/null", "/dev/null", "file:///dev/null", "http://127.0.0.1:9/", "' or 1=1 --"]
    const names = ["", " ", "first ", "First", "\0", "__proto__", "constructor", "toString", "k".repeat(10_000)]
    for (const kid of [...paths, ...names, undefined, null, 1, true, [KEY.kid], { kid: KEY.kid }]) {
      await harness.refused(issue(KEY, CLAIMS, { kid }))
      await harness.refused(issue(OWN, CLAIMS, { kid }))
    }
    await harness.refused(issue(OWN, CLAIMS, { kid: KEY.kid }))
  })

  it("never uses or fetches a key that the token names", async () => {
    const trap = await openProvider(publishKeys([OWN.jwk]))
    const brought = [
      { jwk: OWN.jwk },
      { jku: trap.jwksUrl },
      { x5u: trap.jwksUrl },
      { x5c: [OWN.publicKey.export({ format: "der", type: "spki" }).toString("base64")] },
    ]
    for (const header of [...brought, Object.assign({}, ...brought)]) {
      for (const kid of [KEY.kid, OWN.kid, undefined]) await harness.refused(issue(OWN, CLAIMS, { kid, ...header }))
      await harness.accepted(issue(KEY, CLAIMS, header))
    }
    expect(trap.requests()).toBe(0)
  })

  it("refuses every crit header, and a payload that is not encoded", async () => {
    for (const crit of [["b64"], ["exp"], [], "b64", null, {}, [""]]) {
      await harness.refused(issue(KEY, CLAIMS, { crit, b64: true }))
      await harness.refused(issue(KEY, CLAIMS, { crit, b64: false, exp: 1 }))
    }
  })

  it("refuses a header that is not an object", async () => {
    const signed = (text: Buffer) => sign("sha256", text, KEY.privateKey)
    for (const header of [
      "",
      "null",
      "[]",
      "7",
      '"RS256"',
      JSON.stringify([HEADER]),
      "{",
      `${JSON.stringify(HEADER)}}`,
    ]) {
      await harness.refused(forge(header, CLAIMS, signed))
    }
  })
})

describe("claims under the provider's own signature", () => {
  it("uses the last of several claims of one name, as JSON.parse does", async () => {
    const text = JSON.stringify(CLAIMS).slice(0, -1)
    await harness.accepted(issue(KEY, `{"aud":"com.example.other","sub":"subject-2",${text.slice(1)}}`))
    await harness.refused(issue(KEY, `${text},"aud":"com.example.other"}`))
    await harness.refused(issue(KEY, `${text},"iss":"https://evil.example"}`))
    await harness.refused(issue(KEY, `${text},"exp":${NOW - 86_400}}`))
    expect(await harness.verdict(issue(KEY, `${text},"sub":"subject-2"}`))).toBe("subject-2")
  })

  it("refuses an infinite `exp`", async () => {
    await harness.refused(issue(KEY, JSON.stringify(CLAIMS).replace(`${CLAIMS.exp}`, "1e400")))
  })

  it("reads no claim from a prototype", async () => {
    const { sub, ...rest } = CLAIMS
    await harness.refused(issue(KEY, `{"__proto__":{"sub":"${sub}"},${JSON.stringify(rest).slice(1)}`))
  })

  it("refuses claims that are not a JSON object", async () => {
    const text = JSON.stringify(CLAIMS)
    const signed = (bytes: Buffer) => sign("sha256", bytes, KEY.privateKey)
    for (const claims of ["null", "7", '"claims"', `[${text}]`, text.slice(1), `${text},`, `${text}${text}`, "\0"]) {
      await harness.refused(issue(KEY, claims))
    }
    const latin1 = Buffer.from(text.replace("subject-1", "subjéct-1"), "latin1").toString("base64url")
    const token = `${encode(HEADER)}.${latin1}`
    await harness.refused(`${token}.${signed(Buffer.from(token)).toString("base64url")}`)
  })
})

describe("unsafe keys", () => {
  const expectUnused = async (key: SigningKey, jwk: object, token = issue(key, CLAIMS)) => {
    const { accepted, refused } = await oneProvider(publishKeys([jwk, KEY.jwk]))
    await accepted(issue(KEY, CLAIMS))
    await refused(token)
  }

  it("ignores keys of less than 2048 bits", async () => {
    const weak = signingKey("weak", 1024)
    await expectUnused(weak, weak.jwk)
  })

  it("ignores keys with their private part, for another use, or with invalid members", async () => {
    await expectUnused(OWN, { ...OWN.jwk, ...OWN.privateKey.export({ format: "jwk" }) })
    const changes = [
      { use: "enc" },
      { alg: "RS512" },
      { alg: "RSA-OAEP" },
      { key_ops: ["encrypt"] },
      { key_ops: "verify" },
    ]
    const broken = [{ kty: "rsa" }, { kty: "oct", k: "AAAA" }, { n: "" }, { n: 7 }, { e: "" }, { e: null }, { kid: 7 }]
    for (const change of [...changes, ...broken]) await expectUnused(OWN, { ...OWN.jwk, ...change })
  })

  it("ignores keys whose exponent is 1", async () => {
    const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex")
    const padded = (text: Buffer) => {
      const end = Buffer.concat([Buffer.from([0]), digestInfo, createHash("sha256").update(text).digest()])
      return Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(256 - 2 - end.length, 0xff), end])
    }
    await expectUnused(OWN, { ...OWN.jwk, e: "AQ" }, forge({ alg: "RS256", kid: OWN.kid }, CLAIMS, padded))
  })

  it("uses a key without optional members", async () => {
    const { kty, n, e } = OWN.jwk
    const { accepted } = await oneProvider(publishKeys([{ kty, n, e, kid: OWN.kid }, null, 7, [], "key"]))
    await accepted(issue(OWN, CLAIMS))
  })
})
