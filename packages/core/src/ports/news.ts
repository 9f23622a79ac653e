/**
 * Tells the processes of an installation that something was committed in a project, while somebody listens there. It makes
 * streams prompt, never certain: news of other processes may be lost, and a wake-up may be for nothing. So who listens looks by
 * themselves as well.
 */
export interface News {
  /**
   * Calls `wake` soon after transactions of the project, of any process, from now until the answer is called, and not once more
   * after that. What was committed can be read by then. No commit of this process is lost. Acts at once. Each call is one of its own, also
   * with the same `wake`; its answer may be called twice. Ids are the same in capitals. `wake` does not throw; it may watch and end.
   */
  watch(projectId: string, wake: () => void): () => void
}
