// trial/served.ts: what the commands that try something have in common when a service does it: when that is asked for, and
// how long its answer may take. Without --server or --context they work in their own process.
import { v2 } from '@pulseward/contract'
import { formatDuration, UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { durationMs } from '../client/flag-values.ts'

/** What a service needs besides the time of the trial itself. */
const answerMs = 10_000

/** Variables and the current context do not count: a trial that runs elsewhere must be asked for. */
export function isServed(parsed: ParsedArguments): boolean {
  return lastValue(parsed, 'server') !== null || lastValue(parsed, 'context') !== null
}

/** Refuses flags that would have no effect. */
export function refuseFleetFlags(parsed: ParsedArguments): void {
  const given = ['config', 'settings'].find((flag) => lastValue(parsed, flag) !== null)
  if (given !== undefined)
    throw new UsageError(
      `--${given} is for a trial in this process, and --server for one in a service; leave one of them out.`,
    )
}

/** The time that a request may take whose trial may take this long; --request-timeout overrides it. */
export function patience(parsed: ParsedArguments, trialMs: number): { timeoutMs?: number } {
  return lastValue(parsed, 'request-timeout') === null ? { timeoutMs: trialMs + answerMs } : {}
}

/** The timeout of a draft; a service runs no longer trials. */
export function trialTimeout(timeout: string | undefined): { timeout: string; timeoutMs: number } {
  const { trialTimeoutSeconds, trialTimeoutDefaultSeconds } = v2.limits
  const wantedMs = timeout === undefined ? trialTimeoutDefaultSeconds * 1_000 : durationMs(timeout, 'timeout')
  const timeoutMs = Math.min(wantedMs, trialTimeoutSeconds * 1_000)
  return { timeout: formatDuration(timeoutMs), timeoutMs }
}
