// locations/versions.ts: which versions of a service and of a probe work together.

/** Null if they do; otherwise a sentence that both sides show. */
export function versionFault(service: string, probe: string): string | null {
  const [serviceMajor, serviceMinor] = partsOf(service)
  const [probeMajor, probeMinor] = partsOf(probe)
  if (serviceMajor === probeMajor && Math.abs(serviceMinor - probeMinor) <= 1) return null
  return `The service has version ${service} and the probe ${probe}; they may be one minor version apart, so upgrade the older one.`
}

function partsOf(version: string): readonly [major: number, minor: number] {
  const [major = '', minor = ''] = version.split('.')
  return [Number(major), Number(minor)]
}
