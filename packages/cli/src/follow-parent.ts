// follow-parent.ts: ends this process with the npm script, or the `npx`, that started it. npm passes a signal
// on to the shell in between, which ends without telling its children: without this, stopping `npm start`
// would leave the service running.
const lookEveryMs = 500

export function followParent(environment: NodeJS.ProcessEnv): void {
  if (environment['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, lookEveryMs)
  timer.unref()
}
