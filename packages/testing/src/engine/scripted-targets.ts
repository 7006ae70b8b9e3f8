// engine/scripted-targets.ts: targets that do what a test tells them. They outlive the processes that check them.
import type { CheckEnd, TargetBehaviour } from './fake-targets.ts'

const healthy: CheckEnd = { status: 'success', isLocal: false, lastsMs: 5, reason: null, warning: null }

export class ScriptedTarget {
  /** How the next check ends; a timeout lasts as long as the check may. */
  end: CheckEnd = healthy
  /** How many were started. */
  checks = 0

  goesDown(reason = 'HTTP 503'): void {
    this.end = { ...healthy, status: 'failure', reason }
  }

  hangs(): void {
    this.end = { ...healthy, status: 'timeout', isLocal: true, reason: 'no answer in time' }
  }

  warns(warning: string): void {
    this.end = { ...healthy, warning }
  }

  comesBack(): void {
    this.end = healthy
  }
}

export class ScriptedTargets implements TargetBehaviour {
  readonly #targets = new Map<string, ScriptedTarget>()

  of(monitorId: string): ScriptedTarget {
    const target = this.#targets.get(monitorId) ?? new ScriptedTarget()
    this.#targets.set(monitorId, target)
    return target
  }

  check(monitorId: string, timeoutMs: number): CheckEnd {
    const target = this.of(monitorId)
    target.checks++
    const { end } = target
    return { ...end, lastsMs: end.status === 'timeout' ? timeoutMs : Math.min(end.lastsMs, timeoutMs) }
  }
}
