// scripts/generate/recoveries-doc.ts: the pages of the recoveries.
import { driverShapes } from '@pulseward/server'
import { type DriverKind, driverPages } from './driver-doc.ts'

export const recoveryPages: DriverKind = {
  folder: 'recoveries',
  title: 'Recoveries',
  introduction:
    "What a monitor's `recovery.type` may name. A recovery acts once in an episode; when it is unknown whether it did, it is\nnot tried again.",
  noun: 'Recovery',
  room: 'recovery',
  place: 'recovery.config',
  examples: 'recovery-examples',
}

export const recoveriesDoc = (): Promise<Map<string, string>> =>
  driverPages(recoveryPages, driverShapes.recoveries)
