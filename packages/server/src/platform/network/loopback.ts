// platform/network/loopback.ts: whether a display target is on this machine, from its text alone.
// Only where a host may stand: a path may hold an address too.
const loopbackHost =
  /^(?:\w+:\/\/|\w+ (?:\S+ at )?)?(?:127\.\d+\.\d+\.\d+|localhost|[\w.-]+\.localhost|\[::1\]|::1)(?:[:/]|$)/i

/** For display targets such as http://127.0.0.1:80/x, [::1]:53, localhost or A shop.test at 127.0.0.1:53. */
export function isLoopbackHost(target: string): boolean {
  return loopbackHost.test(target)
}
