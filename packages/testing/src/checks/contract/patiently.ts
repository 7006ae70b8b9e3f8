const MOST_PATIENT_MS = 5_000
const TIMES_LATER = 5

/**
 * What is found with the deadline of a scenario and, if anything is, what is found with a later one: by an early deadline a
 * busy machine may not even have connected. A driver that is wrong is so again.
 */
export async function patiently(
  timeoutMs: number,
  findingsWith: (timeoutMs: number) => Promise<string[]>,
): Promise<string[]> {
  const findings = await findingsWith(timeoutMs)
  return findings.length === 0 ? findings : findingsWith(Math.min(TIMES_LATER * timeoutMs, MOST_PATIENT_MS))
}
