import { describe, expect, it } from "vitest"
import { failure, fieldFailure } from "./failure.ts"
import { InvalidFireAt, MissingTitle } from "./push/failures.ts"
import { InvalidRating } from "./reviews/review.ts"
import { InvalidTimezone } from "./users/failures.ts"

describe("the failure of one field [A5]", () => {
  class InvalidColour extends fieldFailure("InvalidColour", "INVALID_COLOUR", "colour", "must be red") {}

  it("names its field in details.issues, and in its sentence", () => {
    const details = { issues: [{ path: "colour", message: "must be red" }] }
    const message = "colour must be red."
    expect(new InvalidColour()).toMatchObject({ code: "INVALID_COLOUR", kind: "invalid", message, details })
    expect([InvalidColour.code, InvalidColour.kind, InvalidColour.sentence]).toEqual([
      "INVALID_COLOUR",
      "invalid",
      message,
    ])
  })

  it("has the details and the sentence that it is given instead", () => {
    const details = { issues: [{ path: "colours.1", message: "must be red" }] }
    expect(new InvalidColour(details)).toMatchObject({ message: "colours[1] must be red.", details })
    expect(new InvalidColour(undefined, "No.")).toMatchObject({ message: "No." })
  })

  it.each([
    [new InvalidTimezone(), "timezone"],
    [new InvalidRating(), "rating"],
    [new MissingTitle(), "title"],
    [new InvalidFireAt(), "fire_at"],
  ])("is that of %s", ({ details }, path) => {
    expect(details).toMatchObject({ issues: [{ path }] })
  })

  it("is not that of others, which have no details by themselves", () => {
    class Odd extends failure("Odd", "conflict", "ODD", "It is odd.") {}
    expect(new Odd().details).toBeUndefined()
  })
})
