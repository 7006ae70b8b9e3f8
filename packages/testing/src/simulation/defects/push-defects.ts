// simulation/defects/push-defects.ts: planted defects in jobs that report by themselves: those of their own simulation, and
// those that show only beside other monitors. Only seeds with such jobs show them.
import { pushDefects as defectsOfJobs } from '../../push-simulation/push-defects.ts'
import { type Defects, replace } from './defect.ts'

export const pushDefects: Defects = {
  ...Object.fromEntries(
    Object.entries(defectsOfJobs).map(([name, { summary, plant }]) => [name, { summary, pushes: plant }]),
  ),
  'still-down-untold': {
    summary:
      'A job that is down gives no failure when a window, a snooze or the trouble of an ancestor ends.',
    pushes: ({ pushes }) => replace(pushes, 'follow', () => () => {}),
  },
}
