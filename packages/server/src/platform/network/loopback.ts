// platform/network/loopback.ts: whether a display target is on this machine, from its text alone.
const loopbackHost = /(?:^|[/ @])(?:127\.\d+\.\d+\.\d+|localhost|[\w.-]+\.localhost|\[::1\]|::1)(?:[:/ ]|$)/i

/** For display targets such as http://127.0.0.1:80/x, [::1]:53 or localhost. */
export function isLoopbackHost(target: string): boolean {
  return loopbackHost.test(target)
}
