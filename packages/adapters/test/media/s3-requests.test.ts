import { createHash } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { openStorage } from "../../src/media/index.ts"

interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}
type Answer = readonly [status: number, xml: string]

const xml = (root: string, inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`
const deleted: Answer = [200, xml("DeleteResult", "")]
const listing = (keys: ReadonlyArray<string>, encoding = ""): Answer => {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join("")
  return [200, xml("ListBucketResult", `<IsTruncated>false</IsTruncated>${encoding}${contents}`)]
}

/** A bucket of which each test says what it answers. Keeps what it was asked. */
const openBucket = async (answer: (asked: Asked) => Answer) => {
  const asked: Array<Asked> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const part of request.setEncoding("utf8")) body += part
    const { method = "", headers } = request
    const now = { method, url: new URL(request.url ?? "/", "http://bucket"), headers, body }
    asked.push(now)
    const [status, text] = answer(now)
    response.writeHead(status, { "content-type": "application/xml" }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const url = `s3://key:secret@bucket/files?endpoint=http://127.0.0.1:${port}&path_style=true`
  const faults: Array<string> = []
  const { storage, close } = await openStorage(
    { url, dataDir: "/nowhere", servesFiles: true, isOnlyProcess: true },
    (_, message, facts) => faults.push(`${message} ${JSON.stringify(facts)}`),
  )
  onTestFinished(async () => {
    close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { storage, asked, faults }
}

describe("what a bucket is asked", () => {
  it("is to remove many files at once, with the checksum that every server knows", async () => {
    const { storage, asked } = await openBucket(() => deleted)
    const paths = Array.from({ length: 1_001 }, (_, at) => `p/${at}_"<ü>&' 🦊.png`)
    await Effect.runPromise(storage.remove(paths))
    expect(asked.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
      ...["POST /bucket/?delete=", "POST /bucket/?delete="],
    ])
    for (const { headers, body } of asked) {
      expect(headers["content-md5"]).toBe(createHash("md5").update(body).digest("base64"))
      expect(Object.keys(headers).filter((name) => name.includes("checksum"))).toEqual([])
      // Signed as it is sent.
      expect(headers.authorization).toContain("content-md5;")
    }
    expect(asked[0]?.body).toContain("<Key>files/p/0_&quot;&lt;ü&gt;&amp;&apos; 🦊.png</Key>")
  })

  it("is to remove a file alone where XML cannot write its name", async () => {
    const { storage, asked } = await openBucket(({ method }) => (method === "DELETE" ? [204, ""] : deleted))
    await Effect.runPromise(storage.remove(["p/1_a\uFFFE.png", "p/2_b.png", "p/3_\uFFFF"]))
    expect(asked.map(({ method, url }) => `${method} ${decodeURIComponent(url.pathname)}`)).toEqual([
      ...["POST /bucket/", "DELETE /bucket/files/p/1_a\uFFFE.png", "DELETE /bucket/files/p/3_\uFFFF"],
    ])
    expect(asked[0]?.body).not.toMatch(/[\uFFFE\uFFFF]/)
  })

  it("tells which files are kept, and passes over what is not there", async () => {
    const refused = (key: string, code: string) => `<Error><Key>${key}</Key><Code>${code}</Code></Error>`
    const errors = `${refused("files/p/2_b", "AccessDenied")}${refused("files/p/3_c", "NoSuchKey")}`
    const { storage, faults } = await openBucket(({ method }) =>
      method === "DELETE" ? [403, xml("Error", "<Code>AccessDenied</Code>")] : [200, xml("DeleteResult", errors)],
    )
    const removed = storage.remove(["p/1_a", "p/2_b", "p/3_c", "p/4_\uFFFF"])
    expect(await Effect.runPromise(removed)).toEqual(["p/2_b", "p/4_\uFFFF"])
    expect(faults.join()).toContain("AccessDenied")
  })

  it.each([
    ["of a file that was not named", "<Error><Key>files/p/9_z</Key><Code>AccessDenied</Code></Error>"],
    ["without a name", "<Error><Code>InternalError</Code></Error>"],
  ])("is not answered by an error %s", async (_, error) => {
    const { storage } = await openBucket(() => [200, xml("DeleteResult", error)])
    const failure = await Effect.runPromise(Effect.flip(storage.remove(["p/1_a"])))
    expect(failure).toMatchObject({ code: "STORAGE_UNAVAILABLE" })
  })

  it.each([
    ["encoded", "<EncodingType>url</EncodingType>", "files/p/1_a+b%F0%9F%A6%8A%EF%BF%BE"],
    ["as they are", "", "files/p/1_a b🦊"],
  ])("is for the names of a project's files, which come %s", async (_, encoding, key) => {
    let isThere = true
    const { storage, asked } = await openBucket(({ method }) => {
      if (method === "GET") return listing(isThere ? [key] : [], encoding)
      isThere = false
      return method === "DELETE" ? [204, ""] : deleted
    })
    await Effect.runPromise(storage.removeProject("p"))
    expect(asked[0]?.url.searchParams.get("encoding-type")).toBe("url")
    const removals = asked.filter(({ method }) => method !== "GET")
    expect(removals).toHaveLength(1)
    const named = `${decodeURIComponent(removals[0]?.url.pathname ?? "")} ${removals[0]?.body}`
    expect(named).toContain(encoding === "" ? "<Key>files/p/1_a b🦊</Key>" : "/files/p/1_a b🦊\uFFFE")
  })

  it("ends, where what was removed is there still", async () => {
    const { storage, asked, faults } = await openBucket(({ method }) =>
      method === "GET" ? listing(["files/p/1_a"]) : deleted,
    )
    expect(await Effect.runPromise(Effect.flip(storage.removeProject("p")))).toMatchObject({
      code: "STORAGE_UNAVAILABLE",
    })
    expect(asked).toHaveLength(3)
    expect(faults.join()).toContain("are there still")
  })
})
