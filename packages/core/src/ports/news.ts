/**
 * Tells the processes of an installation that something was committed in a project, while somebody listens there. It makes
 * streams prompt, never certain: who listens looks by themselves as well.
 */
export interface News {
  /** Calls `wake` soon after commits of the project, of any process, from now until the answer is called. Acts at once. */
  watch(projectId: string, wake: () => void): () => void
}
