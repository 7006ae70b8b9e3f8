const MOST_PATIENT_MS = 5_000
const TIMES_LATER = 5

/**
 * Findings with the deadline of a scenario, confirmed with a later deadline: before an early deadline, a busy
 * machine may not even have connected. A driver that is really wrong fails again.
 */
export async function patiently(
  timeoutMs: number,
  findingsWith: (timeoutMs: number) => Promise<string[]>,
): Promise<string[]> {
  const findings = await findingsWith(timeoutMs)
  return findings.length === 0 ? findings : findingsWith(Math.min(TIMES_LATER * timeoutMs, MOST_PATIENT_MS))
}
