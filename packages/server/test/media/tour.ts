import { expect } from "vitest"
import type { Tour } from "../harness/tour.ts"

interface Uploading {
  readonly id: string
  readonly storage_url: string
}

/** Files and folders: they are added, sent, served, listed and removed. */
export const tour: Tour = async ({ admin, client, fetch, projectId, userId }) => {
  const at = (url: string) => url.replace(/^https?:\/\/[^/]+/, "")
  const folder = await admin("POST /media/folders", { body: { name: "Photos" } })
  expect(folder).toEqual({ id: expect.any(String), name: "Photos", parent_id: null })
  const folderId = folder["id"]
  expect(await admin("GET /media/folders")).toEqual([folder])

  const input = { filename: "../a b.png", mime_type: "image/PNG", size_bytes: 3, folder_id: folderId }
  const asset = await admin<Uploading>("POST /media", { body: input })
  expect(asset).toEqual({
    ...{ id: expect.any(String), filename: "___a b.png", mime_type: "image/png", size_bytes: 3, folder_id: folderId },
    ...{ alt_text: null, metadata: {}, uploaded_by: "admin", status: "pending" },
    created_at: expect.stringMatching(/Z$/),
    storage_url: expect.stringMatching(new RegExp(`^http://[^/]+/files/${projectId}/\\d{13}____a%20b\\.png$`)),
  })
  expect((await fetch(at(asset.storage_url))).status).toBe(404)
  expect(await admin("GET /media", { query: `folder_id=${folderId}` })).toEqual([asset])
  expect(await admin("POST /media/:assetId/complete", { assetId: asset.id })).toEqual(asset)
  await admin("DELETE /media/folders/:folderId", { folderId })
  const moved = { ...asset, folder_id: null }
  expect(await admin("GET /media")).toEqual([moved])

  const image = { filename: "me.gif", mime_type: "image/gif" }
  const own = await client<Uploading>("POST /client/media", { body: image })
  expect(own).toMatchObject({ ...image, uploaded_by: userId, status: "pending", size_bytes: null, folder_id: null })
  expect(await client("GET /client/media")).toEqual([own])
  expect(await client("POST /client/media/:assetId/complete", { assetId: own.id })).toEqual(own)
  expect(await admin("GET /media")).toEqual([own, moved])
  await client("DELETE /client/media/:assetId", { assetId: own.id })
  expect(await client("GET /client/media")).toEqual([])
  await admin("DELETE /media/:assetId", { assetId: asset.id })
  expect(await admin("GET /media")).toEqual([])
}
