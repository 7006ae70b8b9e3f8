// process/service-state.ts: where a service of a test keeps its state, unless its words or its environment say otherwise.
import { testStoreSetting } from '../store/test-database.ts'

/** `folder`: of this service alone. Services of several tests run at the same time, and a data folder has one owner. */
export function stateIn(
  folder: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): NodeJS.ProcessEnv {
  const named = words.includes('--data') ? words[words.indexOf('--data') + 1] : environment['PULSEWARD_DATA']
  return { PULSEWARD_DATA: folder, ...testStoreSetting(named ?? folder) }
}
