import { describe, expect, it } from "vitest"
import { isLoopback, limitSubject } from "./address.ts"

describe("who shares a limit", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["64:ff9b::1.2.3.4", "64:ff9b:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:102:304", "1.2.3.4"],
    ["0:0:0:0:0:FFFF:0102:0304", "1.2.3.4"],
    ["::102:304", "0:0:0:0::/64"],
    ["", ""],
    ["unknown", "unknown"],
  ])("%s is %s", (address, subject) => {
    expect(limitSubject(address)).toBe(subject)
  })
})

describe("this machine's own addresses", () => {
  it.each([
    ["127.0.0.1", true],
    ["127.9.8.7", true],
    ["::1", true],
    ["0:0:0:0:0:0:0:1", true],
    ["::ffff:127.0.0.1", true],
    ["::ffff:7f00:1", true],
    ["128.0.0.1", false],
    ["10.0.0.1", false],
    ["1127.0.0.1", false],
    ["127.0.0.1.example.com", false],
    ["::2", false],
    ["1::1", false],
    ["", false],
  ])("%s: %s", (address, expected) => {
    expect(isLoopback(address)).toBe(expected)
  })
})
