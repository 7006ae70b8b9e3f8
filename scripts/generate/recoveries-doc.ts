// scripts/generate/recoveries-doc.ts: the pages of the recoveries.
import { driverShapes } from '@pulseward/server'
import { type DriverKind, driverPages } from './driver-doc.ts'

export const recoveryPages: DriverKind = {
  folder: 'recoveries',
  title: 'Recoveries',
  introduction:
    "What a monitor's `recovery.type` may name. A recovery acts once per episode. If its outcome is unknown, it\nis not tried again.",
  noun: 'Recovery',
  room: 'recovery',
  place: 'recovery.config',
}

export const recoveriesDoc = (): Promise<Map<string, string>> =>
  driverPages(recoveryPages, driverShapes.recoveries)
