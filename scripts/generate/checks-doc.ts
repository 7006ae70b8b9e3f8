// scripts/generate/checks-doc.ts: the pages of the checks: their options, and what each check says about each trouble.
import { driverShapes } from '@pulseward/server'
import { troubleSections } from './check-troubles.ts'
import { type DriverKind, driverPages } from './driver-doc.ts'

export const checkPages: DriverKind = {
  folder: 'checks',
  title: 'Checks',
  introduction:
    "What a monitor's `check.type` may name. [Recoveries](../recoveries/index.md) and [notifications](../notifications/index.md)\nhave pages of their own.",
  noun: 'Check',
  room: 'checks',
  place: 'check.config',
  elsewhere: { push: 'packages/server/src/config/push-check.ts' },
}

export const checksDoc = (): Promise<Map<string, string>> =>
  driverPages(checkPages, driverShapes.checks, troubleSections)
