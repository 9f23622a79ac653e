import { describe, expect, test } from "vitest"
import { fillText } from "./fill-text.ts"

const user = {
  display_name: "Ann",
  properties: {
    ...{ city: "Oslo", level: 7, half: 0.5, pro: true, none: null, empty: "", team: { name: "Red" }, tags: ["a"] },
    tricky: "{{display_name}} $& $1 {{properties.city|x}}",
    deep: { er: { still: "down" } },
  },
}

describe("the text of a push [H4.3]", () => {
  test.each([
    ["Hi {{display_name}}!", "Hi Ann!"],
    ["{{display_name}}{{display_name}}", "AnnAnn"],
    ["{{properties.city}}", "Oslo"],
    ["{{properties.city|there}}", "Oslo"],
    ["{{properties.deep.er.still}}", "down"],
    ["{{properties.level}} {{properties.half}} {{properties.pro}}", "7 0.5 true"],
    ["{{properties.empty|nothing}}", ""],
  ])("%s is filled with what the user has", (template, filled) => {
    expect(fillText(template, user)).toBe(filled)
  })

  test.each([
    ["[{{properties.gone}}]", "[]"],
    ["{{properties.gone|friend}}", "friend"],
    ["{{properties.gone|}}", ""],
    ["{{properties.gone|a|b.c d}}", "a|b.c d"],
    ["{{properties.gone|one\ntwo}}", "one\ntwo"],
    ["{{properties.none|friend}}", "friend"],
    ["{{properties.team|friend}}", "friend"],
    ["{{properties.tags|friend}}", "friend"],
    ["{{properties.tags.0|friend}}", "friend"],
    ["{{properties.tags.length|friend}}", "friend"],
    ["{{properties.city.length|friend}}", "friend"],
    ["{{properties.__proto__.constructor|friend}}", "friend"],
    ["{{properties.toString|friend}}", "friend"],
    ["{{properties.team.name.more|friend}}", "friend"],
  ])("%s is its default where there is no text, number or boolean", (template, filled) => {
    expect(fillText(template, user)).toBe(filled)
  })

  test("is not filled again with what it was filled with", () => {
    expect(fillText("{{properties.tricky}}", user)).toBe(user.properties.tricky)
    expect(fillText("{{properties.gone|$& $1}}", user)).toBe("$& $1")
  })

  test.each([
    ...["{{}}", "{{email}}", "{{ display_name }}", "{{display_name }}", "{{DISPLAY_NAME}}", "{display_name}"],
    ...["{{properties}}", "{{properties.}}", "{{properties..a}}", "{{properties.a.}}", "{{properties.a", "{{ }}"],
    ...["{{display_names}}", "{{properties|x}}", "}}{{", "{{properties.a|b", "{{id}}", "{{external_id|x}}"],
  ])("%s stays as it is", (template) => {
    expect(fillText(template, user)).toBe(template)
  })

  test("is filled inside of what stays", () => {
    expect(fillText("{{{display_name}}}", user)).toBe("{Ann}")
    expect(fillText("{{properties.gone|{{display_name}}}}", user)).toBe("{{properties.gone|Ann}}")
  })

  test("has its defaults where there is no user", () => {
    expect(fillText("Hi {{display_name|you}}{{properties.city}}!", null)).toBe("Hi you!")
  })

  test("takes no longer than its length", () => {
    const startedAt = performance.now()
    for (const hostile of ["{{properties.a|", "{{properties.", "{{", "{{properties.a.a|{"])
      fillText(hostile.repeat(2_000 / hostile.length), user)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})
