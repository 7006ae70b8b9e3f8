// engine/scripted-targets.ts: targets that behave as the test says. They outlive the processes that check them.
import type { CheckEnd, TargetBehaviour } from './fake-targets.ts'

const healthy: CheckEnd = { status: 'success', isLocal: false, lastsMs: 5, reason: null, warning: null }

export class ScriptedTarget {
  /** How the next check ends; a timeout takes as long as the check allows. */
  end: CheckEnd = healthy
  /** Number of started checks. */
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
