import type { Server } from "node:http"
import type { Socket } from "node:net"
import { RateLimitExceeded } from "@hearth/core"
import { interceptRequests, type MakeRequestId, refuseRequest } from "./refuse-request.ts"

// Clients that send before they have their answers send a few. One packet has room for a thousand, and all of their answers would be
// made, and kept for somebody who reads none.
const mostOpen = 64

/**
 * Refuses what a connection asks for beyond so many requests that are not answered, and ends it with that. `countOpen` tells how many they
 * are, this one included.
 */
export const boundPipelines = (
  server: Server,
  countOpen: (socket: Socket) => number,
  makeRequestId: MakeRequestId,
): void =>
  interceptRequests(server, (request, response, passOn) => {
    if (countOpen(request.socket) <= mostOpen) return passOn()
    response.shouldKeepAlive = false
    refuseRequest(request, response, new RateLimitExceeded({ retry_after_seconds: 1 }), makeRequestId)
  })
