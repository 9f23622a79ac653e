/** The oldest Node that runs the sources, as `engines` of the package says. */
const oldest = [22, 19]

// Why a Node cannot run Hearth, and what can; null where it can.
const describeOldNode = (version) => {
  const [major = 0, minor = 0] = version.replace("v", "").split(".").map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return null
  return (
    `Hearth needs Node ${oldest.join(".")} or newer, and this is ${version}. ` +
    "In its repository, npx -y pnpm@12 start and npx -y pnpm@12 hearth bring their own."
  )
}

/** Ends a process whose Node is too old: it would say what the first module lacks. */
export const requireNode = () => {
  const fault = describeOldNode(process.version)
  if (fault === null) return
  console.error(fault)
  process.exit(1)
}
