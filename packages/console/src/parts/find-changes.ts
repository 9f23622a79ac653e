import { isSame } from "./editor/same.ts"

/** What of `typed` differs from what was shown: the other fields stay as they are, whoever has changed them meanwhile. */
export const findChanges = <Typed extends object>(
  typed: Typed,
  shown: { readonly [Name in keyof Typed]?: unknown },
): Partial<Typed> =>
  Object.fromEntries(
    Object.entries(typed).filter(([name, value]) => !isSame(value, shown[name as keyof Typed])),
  ) as Partial<Typed>
