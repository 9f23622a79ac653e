import { describe, expectTypeOf, it } from "vitest"
import { createAdminClient, createClient, type HearthError } from "../src/index.ts"

const hearth = createClient({ url: "http://127.0.0.1:1", apiKey: "key" })
const admin = createAdminClient({ url: "http://127.0.0.1:1", token: "token" })

// Never called: the compiler is the test.
const useTypes = async (error: HearthError) => {
  const { data } = await hearth.api.GET("/client/streaks")
  expectTypeOf(data[0]?.current_count).toEqualTypeOf<number | undefined>()

  const page = await admin.api.GET("/admin/projects/{projectId}/users", {
    params: { path: { projectId: "1" }, query: { limit: 10 } },
  })
  expectTypeOf(page.total).toEqualTypeOf<number>()
  expectTypeOf(page.data[0]?.email).toEqualTypeOf<string | null | undefined>()

  const file = await admin.api.GET("/admin/projects/{projectId}/users/export", {
    params: { path: { projectId: "1" } },
    parseAs: "text",
  })
  expectTypeOf(file).toEqualTypeOf<string>()

  // @ts-expect-error A route of developers is none of an app.
  await hearth.api.GET("/admin/projects")
  // @ts-expect-error There is no such path.
  await hearth.api.GET("/client/streak")
  // @ts-expect-error The path has a parameter.
  await hearth.api.POST("/client/groups/{groupId}/join")
  // @ts-expect-error A body needs its fields.
  await hearth.api.POST("/client/currencies/{code}/spend", { params: { path: { code: "COINS" } }, body: {} })
  await hearth.api.POST("/client/currencies/{code}/spend", {
    params: { path: { code: "COINS" } },
    // @ts-expect-error A misspelled field is none.
    body: { amount: 1, idempotency: "1" },
  })
  // @ts-expect-error There is no such parameter.
  await hearth.api.GET("/client/streaks", { params: { query: { limits: 1 } } })

  // Codes are completed by an editor, and others may come.
  expectTypeOf<"STREAK_DEFINITION_NOT_FOUND">().toExtend<typeof error.code>()
  expectTypeOf<"A_NEW_ONE">().toExtend<typeof error.code>()
}

describe("the types of the client", () => {
  it("are those of the API", () => {
    expectTypeOf(useTypes).toBeFunction()
    hearth.close()
  })
})
