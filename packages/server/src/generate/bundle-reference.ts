import { compressBundle } from "../http/pages/bundle.ts"

// For the package that is published, and for images: they have the reference's bundle compressed only. As small as it gets.
await Promise.all([compressBundle("br", 11), compressBundle("gzip", 9)])
