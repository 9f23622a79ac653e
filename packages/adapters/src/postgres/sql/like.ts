/** The pattern of `like` and `ilike` for "has this text in it": `%`, `_` and `\` stand for themselves [A11]. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`
