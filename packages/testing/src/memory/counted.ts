interface Databases {
  readonly read: (...given: never) => unknown
  readonly transact: (...given: never) => unknown
}

/** `databases`, with `onUse` called before each use. */
export const counted = <D extends Databases>(databases: D, onUse: () => void): D => {
  const noted = <Given extends ReadonlyArray<unknown>, A>(use: (...given: Given) => A) => {
    return (...given: Given): A => {
      onUse()
      return use(...given)
    }
  }
  return { ...databases, read: noted(databases.read), transact: noted(databases.transact) }
}
