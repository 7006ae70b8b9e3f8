// v2/wire/practice-target.ts: something to watch that can be made to fail, so that people see an incident before they need one.
import { type Static, Type } from 'typebox'
import { flag, text, timestamp, wireType } from './wire-type.ts'

export const PracticeTarget = wireType('PracticeTarget', 'A path of the service that can be made to fail.', {
  url: text('What an http check watches; the service reaches itself there.'),
  on: flag('It answers 200; while it is off, 503.'),
  onAgainAt: Type.Optional(timestamp('When it goes on by itself; only while it is off.')),
})
export type PracticeTarget = Static<typeof PracticeTarget>

export const PracticeSwitch = wireType('PracticeSwitch', 'Switches the practice target.', {
  on: flag('Whether it answers 200 from now on.'),
})
export type PracticeSwitch = Static<typeof PracticeSwitch>
