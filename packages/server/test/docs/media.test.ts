import { expect } from "vitest"
import { describePage } from "../harness/describe-page.ts"

describePage("media.md", "[I7.1, I7.2, I7.3]", ({ answer }) => {
  const file = answer("file")
  expect(file).toMatchObject({ filename: "cover.png", size_bytes: 20, status: "pending", uploaded_by: "admin" })
  expect(answer("sent")).toEqual({ ...file, status: "uploaded" })
  const { user } = answer("me")
  expect(answer("avatar-sent")).toMatchObject({ uploaded_by: user.id, size_bytes: 6, status: "uploaded" })
  expect(answer("profile").avatar_url).toBe(answer("avatar").storage_url)
  expect(answer("own")).toEqual([answer("avatar-sent")])
  expect(answer("files")).toEqual([{ ...file, status: "uploaded", folder_id: null }])
})
