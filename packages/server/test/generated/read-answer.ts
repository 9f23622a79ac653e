/** The text of an answer; of a stream that does not end by itself, its beginning. */
export const readAnswer = async (answer: Response): Promise<string> => {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) return answer.text()
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}
