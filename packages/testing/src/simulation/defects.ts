// simulation/defects.ts: the planted defects that the oracle must notice: at least one for every rule.

import { actionDefects } from './defects/action-defects.ts'
import { checkDefects } from './defects/check-defects.ts'
import { controlDefects } from './defects/control-defects.ts'
import type { Defects } from './defects/defect.ts'
import { diskDefects } from './defects/disk-defects.ts'
import { escalationDefects } from './defects/escalation-defects.ts'
import { explanationDefects, nextDefects } from './defects/explanation-defects.ts'
import { operationDefects } from './defects/operation-defects.ts'
import { pushDefects } from './defects/push-defects.ts'
import { reasonDefects } from './defects/reason-defects.ts'
import { storyDefects } from './defects/story-defects.ts'
import { workerDefects } from './defects/worker-defects.ts'
import { writeDefects } from './defects/write-defects.ts'

export type { Defect } from './defects/defect.ts'

export {
  controlDefects,
  escalationDefects,
  explanationDefects,
  nextDefects,
  operationDefects,
  pushDefects,
  reasonDefects,
  storyDefects,
  workerDefects,
  writeDefects,
}

export const defects: Defects = {
  ...diskDefects,
  ...checkDefects,
  ...actionDefects,
  ...controlDefects,
  ...escalationDefects,
  ...operationDefects,
  ...pushDefects,
  ...reasonDefects,
  ...explanationDefects,
  ...nextDefects,
  ...storyDefects,
  ...workerDefects,
  ...writeDefects,
}
