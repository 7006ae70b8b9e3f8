// bin/replace-process.js: replaces this process by another program, as `exec` does in a shell: same pid, same
// parent, same stdio, and nothing of the old program left in memory. Node.js supports this from 22.15 on;
// older versions call the C library through koffi. Returns only if it is not possible here.
const F_SETFD = 2
const STDIO = [0, 1, 2]

export async function replaceProcess(program, programArguments, environment) {
  if (process.platform === 'win32') return
  const words = [program, ...programArguments]
  if (process.execve) process.execve(program, words, environment)
  const koffi = await importKoffi()
  if (!koffi) return
  const library = koffi.load(null)
  const fcntl = library.func('int fcntl(int fd, int command, ...)')
  const execve = library.func('int execve(const char *path, const char **argv, const char **envp)')
  // Node.js marks its stdio as close-on-exec at start-up.
  for (const fd of STDIO) fcntl(fd, F_SETFD, 'int', 0)
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  execve(program, [...words, null], [...variables, null])
}

/** An optional dependency. Without it, or without its library for this platform, the caller falls back to spawning. */
async function importKoffi() {
  try {
    return (await import('koffi')).default
  } catch {
    return undefined
  }
}
