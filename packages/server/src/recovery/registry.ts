// recovery/registry.ts: every recovery driver by its name in fleet files. One line a driver.
import { command } from './command.ts'
import { webhook } from './webhook.ts'

export const recoveries = { webhook, command }
