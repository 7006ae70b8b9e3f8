// commands.ts: every command of `pulseward`, in the order that help shows them.
import type { Command } from './command.ts'
import { apiResources } from './commands/api-resources.ts'
import { apply } from './commands/apply.ts'
import { backup } from './commands/backup.ts'
import { check } from './commands/check.ts'
import { completionCommand } from './commands/completion.ts'
import { config } from './commands/config.ts'
import { ack, dismiss, recover, reopen, review, snooze, unsnooze } from './commands/controls.ts'
import { credentials } from './commands/credentials.ts'
import { remove } from './commands/delete.ts'
import { demo } from './commands/demo.ts'
import { describe } from './commands/describe.ts'
import { diff } from './commands/diff.ts'
import { drivers } from './commands/drivers.ts'
import { disable, enable } from './commands/enable.ts'
import { explain } from './commands/explain.ts'
import { exportFleet } from './commands/export.ts'
import { get } from './commands/get.ts'
import { health, ready } from './commands/health.ts'
import { metrics } from './commands/metrics.ts'
import { patch } from './commands/patch.ts'
import { restore } from './commands/restore.ts'
import { serve } from './commands/serve.ts'
import { settings } from './commands/settings.ts'
import { testNotification } from './commands/test-notification.ts'
import { token } from './commands/token.ts'
import { validate } from './commands/validate.ts'
import { verify } from './commands/verify.ts'
import { wait } from './commands/wait.ts'
import { worker } from './commands/worker.ts'

export const commands: Readonly<Record<string, Command>> = {
  serve,
  demo,
  validate,
  check,
  'test-notification': testNotification,
  drivers,
  settings,
  backup,
  verify,
  restore,
  token,
  credentials,
  config,
  get,
  health,
  ready,
  metrics,
  describe,
  explain,
  'api-resources': apiResources,
  apply,
  diff,
  patch,
  delete: remove,
  enable,
  disable,
  export: exportFleet,
  ack,
  dismiss,
  reopen,
  snooze,
  unsnooze,
  recover,
  review,
  wait,
  worker,
  completion: completionCommand(() => commands),
}
