// projection/shown-target.ts: the target of a driver as people see it. A part that comes from a credential is
// shown as the redaction placeholder: showing a target never needs the value.
import type { TObject } from 'typebox'
import { mapReferences } from '../config/fleet-file/credential-places.ts'
import { redactedText } from '../kinds/redact-url.ts'

export interface TargetedDriver {
  readonly config: TObject
  target(config: never): string
}

/** written: the options, with their references unresolved. */
export function shownTarget(driver: TargetedDriver, written: object): string {
  try {
    return driver.target(mapReferences(driver.config, written, () => redactedText) as never)
  } catch {
    // The driver could not parse the placeholder as an address.
    return redactedText
  }
}
