import { describe, expect, test } from "vitest"
import { cleanFilename, isClientType, isInline, isMimeType, readMimeType } from "./rules.ts"

describe("a file name [I7.1]", () => {
  test.each([
    ["a.png", "a.png"],
    ["a/b\\c.png", "a_b_c.png"],
    ["../../x", "___.._x"],
    [".htaccess", "_htaccess"],
    ["...", "___"],
    ["a\u0000\r\n\u0085b", "a____b"],
    ["gnp.\u202Eexe", "gnp._exe"],
    ["a\u200Bb\uFEFF", "a_b_"],
    ["a\u2028b", "a_b"],
    ["a\uFFFEb\uFFFF\u{1FFFE}\uFDD0\uFFFD", "a_b___\uFFFD"],
    ["ü 🦊 %2F.png", "ü 🦊 %2F.png"],
  ])("%j is kept as %j", (name, clean) => {
    expect(cleanFilename(name)).toBe(clean)
    expect(cleanFilename(clean)).toBe(clean)
  })
})

describe("a media type", () => {
  test.each(["image/png", "application/vnd.api+json", "IMAGE/PNG", "x/y"])("may be %s", (type) => {
    expect(isMimeType(type)).toBe(true)
  })
  test.each([
    "",
    "image",
    "image/",
    "/png",
    "image/png; a=b",
    "image /png",
    "a/b/c",
    "image/p\u00e9",
    `a/${"b".repeat(128)}`,
  ])("may not be %j", (type) => {
    expect(isMimeType(type)).toBe(false)
  })
  test("of a header is its essence", () => {
    expect(["Image/PNG; q=1", "image/png", "", null, "png"].map(readMimeType)).toEqual([
      ...["image/png", "image/png", null, null, null],
    ])
  })
  test.each([
    ["image/png", true, true],
    ["image/svg+xml", false, false],
    ["image/svg", false, false],
    ["image/x-icon", true, false],
    ["video/mp4", true, true],
    ["audio/ogg", true, true],
    ["image/x+xml", false, false],
    ["video/x+xml", false, false],
    ["AUDIO/X+XML", false, false],
    ["text/plain", false, true],
    ["text/html", false, false],
    ["application/pdf", false, false],
  ])("%s: users may upload it %s, browsers may show it %s [I7.2, I7.3]", (type, uploads, shows) => {
    expect([isClientType(type), isInline(type)]).toEqual([uploads, shows])
  })
})
