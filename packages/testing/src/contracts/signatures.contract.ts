import { generateKeyPairSync } from "node:crypto"
import type { Signatures } from "@hearth/core"
import { describe, expect, it } from "vitest"

const bytes = (text: string) => new TextEncoder().encode(text)
const hex = (data: Uint8Array) => Buffer.from(data).toString("hex")
const pkcs8 = { type: "pkcs8", format: "pem" } as const
const elliptic = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve })
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength })

/** What every `Signatures` promises. */
export const signaturesContract = (name: string, signatures: Signatures) =>
  describe(`signatures: ${name}`, () => {
    it("are HMACs as RFC 4231 has them", () => {
      const [jefe, question] = [bytes("Jefe"), bytes("what do ya want for nothing?")]
      expect(hex(signatures.hmacSha256(jefe, question))).toBe(
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      )
      const long = new Uint8Array(131).fill(0xaa)
      expect(hex(signatures.hmacSha256(long, bytes("Test Using Larger Than Block-Size Key - Hash Key First")))).toBe(
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
      )
      expect(hex(signatures.hmacSha256(bytes(""), bytes("")))).toMatch(/^b613679a/)
    })

    it("come with a SHA-256 in hex", () => {
      expect(signatures.sha256(bytes("abc"))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    })

    it("are equal when all bytes are, of whatever length they are", () => {
      expect(signatures.equal(bytes("secret"), bytes("secret"))).toBe(true)
      expect(signatures.equal(bytes(""), bytes(""))).toBe(true)
      for (const other of ["", "s", "Secret", "secreT", "secret ", "secre", "secretsecret", "\0secret"]) {
        expect(signatures.equal(bytes("secret"), bytes(other)), other).toBe(false)
        expect(signatures.equal(bytes(other), bytes("secret")), other).toBe(false)
      }
    })

    it("can be made with a key of P-256 or of RSA with 2,048 bits, in PKCS8 PEM", () => {
      const es256 = elliptic("prime256v1").privateKey.export(pkcs8).toString()
      const rs256 = rsa(2_048).privateKey.export(pkcs8).toString()
      expect(signatures.readKeyAlgorithm(es256)).toBe("ES256")
      expect(signatures.readKeyAlgorithm(rs256)).toBe("RS256")
      for (const around of [es256.trim(), `\n${es256}\n`, es256.replaceAll("\n", "\r\n")])
        expect(signatures.readKeyAlgorithm(around)).toBe("ES256")
    })

    it("can be made with no other key", () => {
      const { privateKey, publicKey } = elliptic("prime256v1")
      const pem = privateKey.export(pkcs8).toString()
      const others = [
        publicKey.export({ type: "spki", format: "pem" }),
        privateKey.export({ type: "sec1", format: "pem" }),
        privateKey.export({ ...pkcs8, cipher: "aes-256-cbc", passphrase: "x" }),
        elliptic("secp384r1").privateKey.export(pkcs8),
        elliptic("secp256k1").privateKey.export(pkcs8),
        rsa(1_024).privateKey.export(pkcs8),
        rsa(2_048).privateKey.export({ type: "pkcs1", format: "pem" }),
        generateKeyPairSync("ed25519").privateKey.export(pkcs8),
        JSON.stringify(privateKey.export({ format: "jwk" })),
        pem.replaceAll("\n", "\\n"),
        pem.slice(0, 100),
        pem + pem,
        ...["", "x", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"],
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      ]
      for (const other of others) expect(signatures.readKeyAlgorithm(other.toString()), other.toString()).toBeNull()
    })
  })
