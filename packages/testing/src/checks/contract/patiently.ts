const TIMES_LATER = 5
const MOST_PATIENT_MS = 20_000

/** Three times the usual deadline is in vain only if the driver is wrong or the machine is very busy. */
const ATTEMPTS = 3

/**
 * Findings with the deadline of a scenario, confirmed with later deadlines: before an early deadline, a busy
 * machine may not even have connected. A driver that is really wrong fails every time.
 */
export async function patiently(
  timeoutMs: number,
  findingsWith: (timeoutMs: number) => Promise<string[]>,
): Promise<string[]> {
  let findings = await findingsWith(timeoutMs)
  for (let attempt = 1; attempt < ATTEMPTS && findings.length > 0; attempt++) {
    findings = await findingsWith(Math.min(TIMES_LATER ** attempt * timeoutMs, MOST_PATIENT_MS))
  }
  return findings
}
