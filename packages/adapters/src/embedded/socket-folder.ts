import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { ClusterLocation } from "./cluster-location.ts"
import type { Postmaster } from "./postmaster.ts"

const prefix = ".s.PGSQL."

// 104 bytes with the zero at the end on macOS, 108 on Linux.
const mostBytes = 103

/**
 * The folder for the server's socket file: the cluster, which only its account may enter. Null where there is none: on Windows, and
 * where its path is too long for the address of a socket.
 */
export const chooseSocketFolder = ({ cluster }: ClusterLocation): string | null =>
  process.platform === "win32" || Buffer.byteLength(join(cluster, `${prefix}65535`)) > mostBytes ? null : cluster

/** The setting that makes the server listen there, and nobody else's account connect. */
export const socketSettings = (folder: string | null): ReadonlyArray<string> => [
  `unix_socket_directories=${folder === null ? "" : `"${folder.replaceAll('"', '""')}"`}`,
  "unix_socket_permissions=0700",
]

/** Removes the socket files of servers that were killed. The process id in a lock file may belong to another program by now. */
export const removeStaleSockets = (cluster: string): void => {
  for (const name of readdirSync(cluster)) if (name.startsWith(prefix)) rmSync(join(cluster, name), { force: true })
}

/** A server's address: over its socket file where it has one, else over TCP. */
export const makeAddress = (server: Pick<Postmaster, "port" | "socketFolder">, password: string): string => {
  const url = new URL(`postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`)
  // The driver takes this in place of the host, and the port as a part of the file's name.
  if (server.socketFolder !== null) url.searchParams.set("host", server.socketFolder)
  return url.href
}
