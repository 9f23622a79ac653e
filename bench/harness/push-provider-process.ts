import { createServer as createHttp } from "node:http"
import { createServer as createHttp2 } from "node:http2"
import type { AddressInfo } from "node:net"

// A provider that answers at once and checks nothing, in a process of its own: what is measured does not share its event loop.
let calls = 0

const apns = createHttp2({ settings: { maxConcurrentStreams: 1000 }, maxSessionMemory: 1000 })
apns.on("stream", (stream) => {
  calls += 1
  stream.on("error", () => {})
  stream.respond({ ":status": 200 }, { endStream: true })
  stream.resume()
})

const token = JSON.stringify({ access_token: "bench", expires_in: 3600 })
const name = JSON.stringify({ name: "projects/bench/messages/1" })
const fcm = createHttp((request, response) => {
  request.resume()
  request.on("end", () => {
    const isExchange = request.url === "/token"
    if (!isExchange) calls += 1
    response.writeHead(200, { "content-type": "application/json" }).end(isExchange ? token : name)
  })
})
// Its connections stay between the rounds of a benchmark.
fcm.keepAliveTimeout = 60_000

const urlOf = (address: AddressInfo | string | null) => `http://127.0.0.1:${(address as AddressInfo).port}`

apns.listen(0, "127.0.0.1", () =>
  fcm.listen(0, "127.0.0.1", () => process.send?.({ apnsUrl: urlOf(apns.address()), fcmUrl: urlOf(fcm.address()) })),
)
process.on("message", () => process.send?.({ calls }))
process.on("disconnect", () => process.exit(0))
