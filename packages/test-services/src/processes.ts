import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const stateOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name before the state is in brackets and may hold brackets itself.
    return stat[stat.lastIndexOf(")") + 2] ?? ""
  } catch {
    return ""
  }
}

/** Whether a process with this id runs. One that has ended and waits for its parent does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs as another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false
  }
  return !["Z", "X"].includes(stateOf(pid))
}

/** Whether a process of this account can run our Node and list the folder. */
export const mayReach = (account: { readonly uid: number; readonly gid: number }, folder: string): boolean => {
  const list = "require('node:fs').readdirSync(process.argv[1])"
  return spawnSync(process.execPath, ["-e", list, folder], { ...account, cwd: "/", stdio: "ignore" }).status === 0
}
