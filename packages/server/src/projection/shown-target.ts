// projection/shown-target.ts: the target of a driver as people see it. Where a part of it comes from a credential, the
// placeholder of redaction stands: the value is never needed to show it.
import type { TObject } from 'typebox'
import { mapReferences } from '../config/fleet-file/credential-places.ts'
import { redactedText } from '../kinds/redact-url.ts'

export interface TargetedDriver {
  readonly config: TObject
  target(config: never): string
}

/** written: the options with references in them. */
export function shownTarget(driver: TargetedDriver, written: object): string {
  try {
    return driver.target(mapReferences(driver.config, written, () => redactedText) as never)
  } catch {
    // The placeholder is not an address, and the driver had to read one.
    return redactedText
  }
}
