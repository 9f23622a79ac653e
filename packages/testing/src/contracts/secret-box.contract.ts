import type { SecretBox } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { awkwardText } from "./awkward-values.ts"

/** Makes a box of these keys, by names: the same name is the same key. */
export type MakeSecretBox = (keys: readonly [string, ...ReadonlyArray<string>]) => SecretBox

/** What every `SecretBox` promises [H1.2]. */
export const secretBoxContract = (name: string, make: MakeSecretBox) =>
  describe(`secret box: ${name}`, () => {
    const box = make(["one"])
    const seal = (text: string, context = "place", by = box) => Effect.runPromise(by.seal(text, context))
    const open = (sealed: string, context = "place", by = box) => Effect.runPromise(by.open(sealed, context))
    const texts = ["", "x", awkwardText, "ä".repeat(20_000), '{"webhook_secret":"canary"}']

    it("opens what it has sealed, in its context", async () => {
      for (const text of texts) {
        for (const context of ["", "place", awkwardText]) {
          expect(await open(await seal(text, context), context)).toBe(text)
        }
      }
    })

    it("opens nothing in another context", async () => {
      const sealed = await seal("text", "place")
      for (const context of ["", "Place", "place ", "place\0", "plac", "place/push_a"]) {
        expect(await open(sealed, context), context).toBeNull()
      }
    })

    it("opens nothing that was altered, wherever it was", async () => {
      const sealed = await seal("a text that is worth something")
      for (let at = 0; at < sealed.length; at += 1) {
        for (const other of ["A", "0", "."].filter((each) => each !== sealed[at])) {
          const altered = sealed.slice(0, at) + other + sealed.slice(at + 1)
          expect(await open(altered), `${at} ${other}`).toBeNull()
        }
        expect(await open(sealed.slice(0, at)), `cut at ${at}`).toBeNull()
      }
      for (const longer of [`${sealed}A`, `${sealed}=`, ` ${sealed}`, `${sealed}\n`, `${sealed}.`, sealed + sealed]) {
        expect(await open(longer), longer).toBeNull()
      }
    })

    it("opens nothing that is put together from two texts", async () => {
      const [first, second] = [await seal("first text"), await seal("other text")]
      expect(first.length).toBe(second.length)
      for (let at = 1; at < first.length; at += 1) {
        const mixed = first.slice(0, at) + second.slice(at)
        if (mixed !== first && mixed !== second) expect(await open(mixed), `cut at ${at}`).toBeNull()
      }
    })

    it("opens nothing that is no sealed text", async () => {
      for (const text of [
        "",
        ".",
        "...",
        "null",
        "{}",
        "\0",
        "🔥",
        awkwardText,
        "x".repeat(100_000),
        ".".repeat(10_000),
      ]) {
        expect(await open(text)).toBeNull()
        expect(box.readFingerprint(text)).toBeNull()
      }
    })

    it("names the key by a fingerprint, the same for the same key", async () => {
      const [fingerprint] = box.fingerprints
      expect(box.fingerprints).toEqual([fingerprint])
      expect(fingerprint).toMatch(/^[0-9a-f]{12}$/)
      expect(make(["one"]).fingerprints).toEqual([fingerprint])
      expect(make(["two"]).fingerprints).not.toEqual([fingerprint])
      expect(box.readFingerprint(await seal("text"))).toBe(fingerprint)
    })

    it("seals with the first key of a list, and opens with all of them", async () => {
      const rotated = make(["two", "one"])
      const old = await seal("old")
      expect(await open(old, "place", rotated)).toBe("old")
      const fresh = await seal("fresh", "place", rotated)
      expect(rotated.readFingerprint(fresh)).toBe(rotated.fingerprints[0])
      expect(rotated.fingerprints).toEqual([...make(["two"]).fingerprints, ...box.fingerprints])
      expect(await open(fresh, "place", make(["two"]))).toBe("fresh")
      expect(await open(fresh)).toBeNull()
      expect(await open(old, "place", make(["two"]))).toBeNull()
      expect(make(["two"]).readFingerprint(old)).toBe(box.fingerprints[0])
    })
  })
