// Of Scalar's reference only the bundle for browsers is used, which contains what it needs. Its dependencies would be 230 MB.
const readPackage = (manifest) =>
  manifest.name === "@scalar/api-reference" ? { ...manifest, dependencies: {} } : manifest

export const hooks = { readPackage }
