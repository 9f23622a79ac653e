/** What was typed into a field, without spaces around it; null where that is nothing. */
export const readText = (form: FormData, name: string): string | null => {
  const text = String(form.get(name) ?? "").trim()
  return text === "" ? null : text
}

/** The number in a field; null where it is empty. What is no number is left to the service to refuse. */
export const readNumber = (form: FormData, name: string): number | null => {
  const text = readText(form, name)
  return text === null ? null : Number(text)
}
