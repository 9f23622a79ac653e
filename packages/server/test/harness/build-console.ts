import { ensureConsole } from "../../src/http/pages/console-files.ts"

/** Builds the console once, before the suites: each server would do it, all at the same time. */
export default ensureConsole
