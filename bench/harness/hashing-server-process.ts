import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as argon2 from "@node-rs/argon2"

// The bound of a login: a server that verifies a password with the parameters of the service, and does nothing else.
const stored = await argon2.hash("correct horse battery", { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

const server = createServer((request, response) => {
  let text = ""
  request.setEncoding("utf8").on("data", (part: string) => {
    text += part
  })
  request.on("end", async () => {
    const isRight = await argon2.verify(stored, JSON.parse(text).password)
    const body = JSON.stringify({ data: { is_right: isRight } })
    response
      .writeHead(isRight ? 200 : 401, { "content-type": "application/json", "content-length": body.length })
      .end(body)
  })
})
// Its connections stay between the rounds of a benchmark.
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit(0))
